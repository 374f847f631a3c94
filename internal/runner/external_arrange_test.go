package runner_test

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/deadlinelab/deadlinelab/internal/eventlog"
	"github.com/deadlinelab/deadlinelab/internal/fault"
	"github.com/deadlinelab/deadlinelab/internal/runner"
	"github.com/deadlinelab/deadlinelab/internal/scenario"
	"github.com/deadlinelab/deadlinelab/internal/variants"
)

// The slots are occupied by a call on the same client until hold_ms after t0,
// by its own clock.
func TestForeignHeldSlot(t *testing.T) {
	inLab(t, func(l *lab) {
		v, caller := l.external("fake", nil)
		p := l.foreignPlan(runner.Options{Repeats: 1, Operations: 3}, v, load(t, "semaphore_wait"))
		rec := l.mustRun(p)
		for _, it := range p.Items {
			t0, h := atNs(t, rec.client[it.Op], eventlog.OperationStarted), rec.client[it.Helper]
			if got := time.Duration(atNs(t, h, eventlog.AdmissionReleased) - t0); got != 1100*time.Millisecond {
				t.Errorf("%s: released %s after t0", it.Helper, got)
			}
			if s := h[0].Start; s.For != it.Op || s.Phase != eventlog.Helper || kinds(h) != "operation_started admission_acquired admission_released operation_finished" {
				t.Errorf("%+v: %s", s, kinds(h))
			}
			end, _ := first(rec.client[it.Op], eventlog.OperationFinished)
			if end.Outcome != eventlog.DeadlineExceeded || end.AtNs-t0 != int64(time.Second) || len(rec.server[it.Op]) > 0 {
				t.Errorf("%s: %+v", it.Op, end)
			}
		}
		if len(caller.clientsOf()) != len(p.Items) || !slices.Equal(slices.Sorted(slices.Values(caller.forgotten)), caller.clientsOf()) {
			t.Errorf("clients %v, forgotten %v", caller.clientsOf(), caller.forgotten)
		}
	})
}

// The only connection is occupied by a call on the same client whose answer ends
// hold_ms after t0.
func TestForeignHeldConnection(t *testing.T) {
	inLab(t, func(l *lab) {
		v, _ := l.external("fake", nil)
		s := *load(t, "pool_wait")
		s.Fault, s.Attempt = &fault.PoolWait{HoldMs: 500, ResponseDelayMs: 20}, scenario.Limits{}
		p := l.foreignPlan(runner.Options{Repeats: 1, Operations: 3}, v, &s)
		rec := l.mustRun(p)
		for _, it := range p.Items {
			t0 := atNs(t, rec.client[it.Op], eventlog.OperationStarted)
			helped, _ := first(rec.client[it.Helper], eventlog.OperationFinished)
			if got := time.Duration(helped.AtNs - t0); got != 500*time.Millisecond || helped.Outcome != eventlog.Success {
				t.Errorf("%s: %s %s after t0", it.Helper, helped.Outcome, got)
			}
			arrived, _ := first(rec.server[it.Op], eventlog.ServerRequestStarted)
			end, _ := first(rec.client[it.Op], eventlog.OperationFinished)
			if arrived.TNs-t0 != int64(500*time.Millisecond) || end.AtNs-t0 != int64(520*time.Millisecond) {
				t.Errorf("%s: arrived %s after t0, ended after %s", it.Op, time.Duration(arrived.TNs-t0), time.Duration(end.AtNs-t0))
			}
		}
	})
}

// What goes first is a call on the same client; t0 follows when the bench hears
// of its pause.
func TestForeignLead(t *testing.T) {
	inLab(t, func(l *lab) {
		v, _ := l.external("fake", nil)
		p := l.foreignPlan(runner.Options{Repeats: 1, Operations: 3}, v, load(t, "backoff_holds_slot"))
		rec := l.mustRun(p)
		for _, it := range p.Items {
			t0 := atNs(t, rec.client[it.Op], eventlog.OperationStarted)
			if began := atNs(t, rec.client[it.Helper], eventlog.BackoffStarted); t0-began != int64(reportLag) {
				t.Errorf("%s: t0 %s after the pause began", it.Op, time.Duration(t0-began))
			}
			if released := atNs(t, rec.client[it.Helper], eventlog.AdmissionReleased); atNs(t, rec.client[it.Op], eventlog.AdmissionAcquired) != released {
				t.Errorf("%s did not wait for the slot of %s", it.Op, it.Helper)
			}
		}
	})
}

// A cancel is due at its trigger's own time plus the delay, whenever the bench
// heard of it; a probe then goes through the same client.
func TestForeignCancel(t *testing.T) {
	for _, c := range []struct {
		name    string
		trigger eventlog.Kind
		server  bool
		after   time.Duration
	}{
		{"cancel_in_http", eventlog.ServerRequestStarted, true, 100 * time.Millisecond},
		{"cancel_in_backoff", eventlog.BackoffStarted, false, 50 * time.Millisecond},
	} {
		inLab(t, func(l *lab) {
			v, caller := l.external("fake", nil)
			p := l.foreignPlan(runner.Options{Repeats: 1, Operations: 3}, v, load(t, c.name))
			rec := l.mustRun(p)
			for _, it := range p.Items {
				events := rec.client[it.Op]
				var since int64
				if trigger, _ := first(rec.server[it.Op], c.trigger); c.server {
					since = trigger.TNs
				} else {
					since = atNs(t, events, c.trigger)
				}
				requested, _ := first(events, eventlog.ExternalCancelRequested)
				if got := time.Duration(requested.TNs - since); got != c.after || requested.AtNs != 0 {
					t.Errorf("%s: cancelled %s after %s", it.Op, got, c.trigger)
				}
				if end, _ := first(events, eventlog.OperationFinished); end.Outcome != eventlog.Cancelled || end.AtNs != requested.TNs {
					t.Errorf("%s: %s, control came back %s after the cancel", it.Op, end.Outcome, time.Duration(end.AtNs-requested.TNs))
				}
				if probe, _ := first(rec.client[it.Probe], eventlog.OperationFinished); probe.Outcome != eventlog.Success {
					t.Errorf("%s: %s", it.Probe, kinds(rec.client[it.Probe]))
				}
			}
			if len(caller.calls) != 2*len(p.Items) || len(caller.clientsOf()) != len(p.Items) {
				t.Errorf("%d calls through %v", len(caller.calls), caller.clientsOf())
			}
		})
	}
}

// hardCap is that of the shipped scenarios' budget.
const hardCap = 8 * time.Second

// A helper that does not come to hold what it was to hold costs its client the
// operation, which is not called; the run goes on.
func TestForeignHelperDoesNotHold(t *testing.T) {
	for _, c := range []struct {
		scenario string
		helper   func(ctx context.Context, c *variants.Call) variants.Ending
		ends     time.Duration
		want     string
	}{
		{"semaphore_wait", func(context.Context, *variants.Call) variants.Ending { return variants.Ending{Broken: "it crashed"} }, 0,
			"it ended too early: client_error: it crashed"},
		{"semaphore_wait", func(ctx context.Context, c *variants.Call) variants.Ending {
			c.Began(time.Now())
			<-ctx.Done()
			return variants.Ending{Outcome: eventlog.Cancelled}
		}, 15 * time.Second, "it had not taken every slot after 15s"},
		{"pool_wait", func(_ context.Context, c *variants.Call) variants.Ending {
			c.Began(time.Now())
			time.Sleep(time.Second)
			return variants.Ending{Outcome: eventlog.ConnectError, Error: "no route"}
		}, time.Second, "it ended too early: connect_error: no route"},
		{"pool_wait", func(ctx context.Context, c *variants.Call) variants.Ending {
			c.Began(time.Now())
			<-ctx.Done()
			return variants.Ending{Outcome: eventlog.Cancelled}
		}, 15 * time.Second, "its request did not arrive within 15s"},
	} {
		inLab(t, func(l *lab) {
			v, caller := l.external("fake", nil)
			caller.instead = func(ctx context.Context, call *variants.Call) variants.Ending {
				if strings.Contains(call.Op, "-h") {
					return c.helper(ctx, call)
				}
				t.Errorf("%s was called", call.Op)
				return variants.Ending{Outcome: eventlog.Success}
			}
			p := l.foreignPlan(runner.Options{Repeats: 1, Operations: 2, NoWarmup: true}, v, load(t, c.scenario))
			rec := l.mustRun(p)
			for _, it := range p.Items {
				end, _ := first(rec.client[it.Op], eventlog.OperationFinished)
				want := fmt.Sprintf("it was not called: its helper %s was to hold what it waits for: %s", it.Helper, c.want)
				if end.Outcome != eventlog.ClientError || end.Cause != "client_broke" || end.Error != want {
					t.Errorf("%s: %+v, want %s", it.Op, end, want)
				}
				if got := time.Duration(end.TNs - atNs(t, rec.client[it.Helper], eventlog.OperationStarted)); got != c.ends {
					t.Errorf("%s: %s after its helper began, want %s", it.Op, got, c.ends)
				}
			}
		})
	}
}

// Every caller of a group can be cancelled, and the probe finds the client in
// order.
func TestForeignGroupIsCancelled(t *testing.T) {
	inLab(t, func(l *lab) {
		v, caller := l.external("fake", func(f *variants.External) { f.AtOnce = 500 })
		s := load(t, "wedged_pool")
		p := l.foreignPlan(runner.Options{Repeats: 1, Operations: 1, NoWarmup: true}, v, s)
		rec := l.mustRun(p)
		it, cancelled := p.Items[0], 0
		for _, op := range it.Ops() {
			cancelled += count(rec.client[op], eventlog.ExternalCancelRequested)
		}
		probe, _ := first(rec.client[it.Probe], eventlog.OperationFinished)
		if cancelled == 0 || probe.Outcome != eventlog.Success || len(caller.clientsOf()) != 1 {
			t.Errorf("%d cancelled, probe %s, clients %v", cancelled, probe.Outcome, caller.clientsOf())
		}
	})
}
