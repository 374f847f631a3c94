package runner_test

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/deadlinelab/deadlinelab/adapter"
	"github.com/deadlinelab/deadlinelab/internal/eventlog"
	"github.com/deadlinelab/deadlinelab/internal/fault"
	"github.com/deadlinelab/deadlinelab/internal/runner"
	"github.com/deadlinelab/deadlinelab/internal/scenario"
	"github.com/deadlinelab/deadlinelab/internal/variants"
)

// A client in a process of its own keeps the times that the waits make: by its
// own account, and in the log as late as the bench heard of it.
func TestForeignOperation(t *testing.T) {
	for _, c := range []struct {
		scenario string
		want     time.Duration
		outcome  eventlog.Outcome
		events   string
	}{
		{"healthy", 20 * time.Millisecond, eventlog.Success, "operation_started attempt_started attempt_finished operation_finished"},
		{"slow_headers", 1000 * time.Millisecond, eventlog.DeadlineExceeded,
			"operation_started attempt_started attempt_failed backoff_started backoff_finished attempt_started attempt_failed backoff_started operation_finished"},
		{"transient_error", 200 * time.Millisecond, eventlog.Success,
			"operation_started attempt_started attempt_failed backoff_started backoff_finished attempt_started attempt_finished operation_finished"},
	} {
		inLab(t, func(l *lab) {
			v, _ := l.foreign("fake", nil)
			p := l.foreignPlan(runner.Options{Repeats: 1, Operations: 3}, v, load(t, c.scenario))
			rec := l.mustRun(p)
			for _, it := range p.Items {
				events := rec.client[it.Op]
				t0, end := atNs(t, events, eventlog.OperationStarted), events[len(events)-1]
				if got := time.Duration(end.AtNs - t0); got != c.want || end.Outcome != c.outcome || kinds(events) != c.events {
					t.Errorf("%s: %s after %s: %s", it.Op, end.Outcome, got, kinds(events))
				}
				for _, e := range events {
					if e.TNs-e.AtNs != int64(reportLag) {
						t.Errorf("%s: heard of %s %s after it happened", it.Op, e.Kind, time.Duration(e.TNs-e.AtNs))
					}
				}
				s := events[0].Start
				if s.Client != eventlog.AdapterClient || s.Blind || s.Label != "fake" || s.DeadlineNs != t0+int64(time.Second) || s.T0Ns != 0 {
					t.Errorf("%+v", s)
				}
				if a, _ := first(events, eventlog.AttemptStarted); a.RemainingMs != 1000 {
					t.Errorf("%s: %+v", it.Op, a)
				}
			}
			if rec.noise == 0 || len(rec.client[""]) != rec.noise+1 { // log_opened
				t.Errorf("leaks were counted: %s", kinds(rec.client[""], eventlog.NoiseSampled))
			}
		})
	}
}

// The slots are occupied by a call on the same client until hold_ms after t0,
// by its own clock.
func TestForeignHeldSlot(t *testing.T) {
	inLab(t, func(l *lab) {
		v, caller := l.foreign("fake", nil)
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
		v, _ := l.foreign("fake", nil)
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
		v, _ := l.foreign("fake", nil)
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
			v, caller := l.foreign("fake", nil)
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

// How an operation ends that its client does not end as clients do.
func TestForeignEndings(t *testing.T) {
	began := func(c *variants.Call) { c.Began(time.Now()) }
	for _, c := range []struct {
		name    string
		call    func(ctx context.Context, c *variants.Call) variants.Ending
		want    eventlog.Event
		ends    time.Duration
		ownTime bool
	}{
		{"success", func(_ context.Context, c *variants.Call) variants.Ending {
			began(c)
			time.Sleep(time.Millisecond)
			return variants.Ending{At: time.Now(), Outcome: eventlog.Success, Status: 200, Bytes: 7}
		}, eventlog.Event{Outcome: eventlog.Success, Status: 200, Bytes: 7}, time.Millisecond, true},
		{"the cap", func(ctx context.Context, c *variants.Call) variants.Ending {
			began(c)
			<-ctx.Done()
			return variants.Ending{At: time.Now(), Outcome: eventlog.Cancelled, ErrorType: "T", Error: fmt.Sprint(errors.Is(context.Cause(ctx), variants.ErrCap))}
		}, eventlog.Event{Outcome: eventlog.CapReached, Last: eventlog.Cancelled, ErrorType: "T", Error: "true"}, hardCap, true},
		{"broken after the cap", func(ctx context.Context, c *variants.Call) variants.Ending {
			began(c)
			<-ctx.Done()
			return variants.Ending{Broken: "it crashed"}
		}, eventlog.Event{Outcome: eventlog.CapReached, Last: eventlog.ClientError, Error: "it crashed"}, hardCap, false},
		{"deaf to the cap", func(ctx context.Context, c *variants.Call) variants.Ending {
			began(c)
			time.Sleep(time.Minute)
			return variants.Ending{Outcome: eventlog.Success}
		}, eventlog.Event{Outcome: eventlog.CapReached, Error: "it did not return after the hard cap, and was left behind"}, hardCap + 1500*time.Millisecond, false},
		{"never begun", func(ctx context.Context, c *variants.Call) variants.Ending {
			time.Sleep(time.Minute)
			return variants.Ending{Outcome: eventlog.Success}
		}, eventlog.Event{Outcome: eventlog.CapReached, Error: "it did not return after the hard cap, and was left behind"}, hardCap + 1500*time.Millisecond, false},
		{"broken", func(_ context.Context, c *variants.Call) variants.Ending {
			began(c)
			time.Sleep(time.Millisecond)
			return variants.Ending{At: time.Now(), Outcome: eventlog.Success, Broken: "it ended with signal 9"}
		}, eventlog.Event{Outcome: eventlog.ClientError, Cause: "client_broke", Error: "it ended with signal 9"}, time.Millisecond, true},
		{"broken before it began", func(context.Context, *variants.Call) variants.Ending {
			return variants.Ending{Broken: "it is dead"}
		}, eventlog.Event{Outcome: eventlog.ClientError, Cause: "client_broke", Error: "it is dead"}, 0, false},
		{"no outcome", func(_ context.Context, c *variants.Call) variants.Ending {
			began(c)
			return variants.Ending{Outcome: "fine"}
		}, eventlog.Event{Outcome: eventlog.ClientError, Cause: "client_broke", Error: `it ended with the outcome "fine", which is none`}, 0, false},
		{"events that are not the client's", func(_ context.Context, c *variants.Call) variants.Ending {
			began(c)
			for _, k := range []eventlog.Kind{eventlog.OperationStarted, eventlog.OperationFinished, eventlog.ServerRequestStarted, eventlog.LeaksCounted, eventlog.NoiseSampled} {
				c.Heard(eventlog.Event{Kind: k})
			}
			return variants.Ending{Outcome: eventlog.Refused}
		}, eventlog.Event{Outcome: eventlog.Refused}, 0, false},
	} {
		inLab(t, func(l *lab) {
			v, caller := l.foreign("fake", nil)
			caller.instead = c.call
			p := l.foreignPlan(runner.Options{Repeats: 1, Operations: 2, NoWarmup: true}, v, load(t, "healthy"))
			rec := l.mustRun(p)
			for _, it := range p.Items {
				events := rec.client[it.Op]
				end := events[len(events)-1]
				ended := end.TNs
				if c.ownTime {
					ended = end.AtNs
				}
				got := eventlog.Event{Outcome: end.Outcome, Last: end.Last, Status: end.Status, Bytes: end.Bytes, ErrorType: end.ErrorType, Error: end.Error, Cause: end.Cause}
				if diff := cmp.Diff(c.want, got); diff != "" || kinds(events) != "operation_started operation_finished" {
					t.Errorf("%s: %s %s", c.name, kinds(events), diff)
				}
				if took := time.Duration(ended - atNs(t, events, eventlog.OperationStarted)); took != c.ends {
					t.Errorf("%s: ended after %s, want %s", c.name, took, c.ends)
				}
				if !slices.Contains(caller.forgotten, it.Op) {
					t.Errorf("%s: the client of %s was not forgotten", c.name, it.Op)
				}
			}
			time.Sleep(2 * time.Minute) // who was left behind comes to an end
		})
	}
}

// A client that does not return after its caller's cancel is ended by force at
// the cap: its context has ended long before.
func TestForeignDeafToCancel(t *testing.T) {
	inLab(t, func(l *lab) {
		v, caller := l.foreign("fake", nil)
		var op string
		caller.instead = func(ctx context.Context, c *variants.Call) variants.Ending {
			if strings.Contains(c.Op, "-p") {
				return caller.make(ctx, c)
			}
			c.Began(time.Now())
			time.Sleep(time.Millisecond / 2) // never at the instant of the cap
			for !func() bool { caller.mu.Lock(); defer caller.mu.Unlock(); return slices.Contains(caller.forgotten, op) }() {
				time.Sleep(time.Millisecond)
			}
			return variants.Ending{At: time.Now(), Outcome: eventlog.Cancelled}
		}
		s := *load(t, "wedged_pool")
		s.Callers = nil
		p := l.foreignPlan(runner.Options{Repeats: 1, Operations: 1, NoWarmup: true}, v, &s)
		op = p.Items[0].Op
		events := l.mustRun(p).client[op]
		took := time.Duration(atNs(t, events, eventlog.OperationFinished) - atNs(t, events, eventlog.OperationStarted))
		if end := events[len(events)-1]; end.Outcome != eventlog.CapReached || end.Last != eventlog.Cancelled || took.Truncate(time.Millisecond) != hardCap {
			t.Errorf("%s after %s, want %s", end.Outcome, took, hardCap)
		}
	})
}

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
			v, caller := l.foreign("fake", nil)
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

// An operation that is given up with its run has no end in the log, and its
// client is forgotten.
func TestForeignGivenUp(t *testing.T) {
	for _, name := range []string{"slow_headers", "semaphore_wait", "pool_wait"} {
		inLab(t, func(l *lab) {
			v, caller := l.foreign("fake", nil)
			ctx, cancel := context.WithTimeout(l.t.Context(), 500*time.Millisecond)
			defer cancel()
			p := l.foreignPlan(runner.Options{Repeats: 1, Operations: 1, NoWarmup: true}, v, load(t, name))
			result, err := l.run(ctx, p)
			if err != nil || !result.Interrupted {
				t.Errorf("%s: %+v, %v", name, result, err)
			}
			rec := l.record()
			for _, op := range []string{p.Items[0].Op, p.Items[0].Helper} {
				if count(rec.client[op], eventlog.OperationFinished) > 0 {
					t.Errorf("%s: %s", op, kinds(rec.client[op]))
				}
			}
			if !slices.Equal(caller.forgotten, []string{p.Items[0].Op}) {
				t.Errorf("%s: forgotten %v", name, caller.forgotten)
			}
		})
	}
}

// A client that is deaf to its caller's cancel does not hold up a run that is
// given up.
func TestForeignDeafWhenGivenUp(t *testing.T) {
	inLab(t, func(l *lab) {
		v, caller := l.foreign("fake", nil)
		caller.instead = func(_ context.Context, c *variants.Call) variants.Ending {
			c.Began(time.Now())
			time.Sleep(time.Minute)
			return variants.Ending{Outcome: eventlog.Cancelled}
		}
		ctx, cancel := context.WithTimeout(l.t.Context(), time.Second)
		defer cancel()
		s := *load(t, "wedged_pool")
		s.Callers = nil
		p, began := l.foreignPlan(runner.Options{Repeats: 1, Operations: 1, NoWarmup: true}, v, &s), time.Now()
		if result, err := l.run(ctx, p); err != nil || !result.Interrupted {
			t.Errorf("%+v, %v", result, err)
		}
		if took := time.Since(began); took > 4*time.Second {
			t.Errorf("the run took %s", took)
		}
		if got := kinds(l.record().client[p.Items[0].Op]); got != "operation_started external_cancel_requested" {
			t.Error(got)
		}
		time.Sleep(time.Minute)
	})
}

// A plan in which nothing is applicable is a run that is over at once.
func TestNothingApplicable(t *testing.T) {
	inLab(t, func(l *lab) {
		v, caller := l.foreign("fake", func(f *variants.Foreign) { f.Can = nil })
		began := time.Now()
		l.mustRun(l.foreignPlan(runner.Options{Repeats: 3, Operations: 30}, v, load(t, "semaphore_wait"), load(t, "cancel_in_http")))
		if len(caller.calls) > 0 || time.Since(began) > 0 {
			t.Errorf("%d calls in %s", len(caller.calls), time.Since(began))
		}
	})
}

// Never more calls of a client are in flight than it makes at once; the wait for
// a place comes before t0.
func TestAtOnce(t *testing.T) {
	inLab(t, func(l *lab) {
		v, caller := l.foreign("fake", func(f *variants.Foreign) { f.AtOnce = 3 })
		p := l.foreignPlan(runner.Options{Repeats: 1, Operations: 9, NoWarmup: true}, v, load(t, "slow_headers"))
		rec := l.mustRun(p)
		if caller.most != 3 {
			t.Errorf("%d at once", caller.most)
		}
		for i, it := range p.Items {
			events := rec.client[it.Op]
			if took := time.Duration(events[len(events)-1].AtNs - events[0].AtNs); took != time.Second {
				t.Errorf("%s took %s", it.Op, took)
			}
			if i < 3 {
				continue
			}
			before := rec.client[p.Items[i-3].Op]
			if events[0].AtNs < before[len(before)-1].TNs {
				t.Errorf("%s began before %s had ended", it.Op, p.Items[i-3].Op)
			}
		}
	})
}

// An operation with a helper has two calls in flight.
func TestAtOnceWithHelpers(t *testing.T) {
	inLab(t, func(l *lab) {
		v, caller := l.foreign("fake", func(f *variants.Foreign) { f.AtOnce = 5 })
		l.mustRun(l.foreignPlan(runner.Options{Repeats: 1, Operations: 6}, v, load(t, "semaphore_wait")))
		if caller.most != 4 {
			t.Errorf("%d at once", caller.most)
		}
	})
}

// A group of callers has the client for itself where it needs more places than
// there are.
func TestAtOnceWithCallers(t *testing.T) {
	inLab(t, func(l *lab) {
		v, caller := l.foreign("fake", func(f *variants.Foreign) { f.AtOnce = 3 })
		s := *load(t, "slow_headers")
		s.Callers = &scenario.Callers{Count: 5}
		l.mustRun(l.foreignPlan(runner.Options{Repeats: 1, Operations: 2}, v, &s))
		if caller.most != 5 {
			t.Errorf("%d at once", caller.most)
		}
	})
}

// The start of a process per operation is measured under healthy, which then has
// an experiment of its own.
func TestForeignStartups(t *testing.T) {
	inLab(t, func(l *lab) {
		v, _ := l.foreign("fake", func(f *variants.Foreign) { f.Kind, f.Can = eventlog.ExecClient, []string{adapter.CanCancel} })
		p := l.foreignPlan(runner.Options{Repeats: 2, Operations: 3, Startup: load(t, "healthy")}, v, load(t, "slow_headers"))
		rec := l.mustRun(p)
		n := 0
		for _, it := range p.Items {
			if it.Phase != eventlog.Startup {
				continue
			}
			n++
			events := rec.client[it.Op]
			if s := events[0].Start; s.Phase != eventlog.Startup || s.Scenario != "healthy" || s.Client != eventlog.ExecClient || !s.Blind || s.For != "" {
				t.Errorf("%+v", s)
			}
			if got := count(rec.server[it.Op], eventlog.ServerBodyFinished); got != 1 || events[len(events)-1].Outcome != eventlog.Success {
				t.Errorf("%s: %s, %d answers", it.Op, kinds(events), got)
			}
		}
		if n != 6 {
			t.Errorf("%d start-ups", n)
		}
	})
}

// What a call asks for is what the scenario says.
func TestForeignCall(t *testing.T) {
	within := 300.0
	total := 400.0
	s := *load(t, "healthy")
	s.Method, s.BodyBytes, s.IdempotencyKey, s.CallerDeadlineMs = http.MethodPost, 100, true, &within
	s.Slots, s.Pool = 4, &scenario.Pool{Limit: 3, LimitPerHost: 2}
	s.Operation.Jitter = &scenario.Jitter{MinMs: 10, MaxMs: 20}
	s.Attempt = scenario.Limits{TotalMs: &total}
	inLab(t, func(l *lab) {
		v, caller := l.foreign("fake", nil)
		p := l.foreignPlan(runner.Options{Seed: 9, Repeats: 1, Operations: 1, NoWarmup: true}, v, &s)
		rec := l.mustRun(p)
		c := caller.calls[0]
		if c.Op != p.Items[0].Op || c.Client != c.Op || c.Method != "POST" || c.BodyBytes != 100 || c.IdempotencyKey != c.Op || *c.CallerDeadline != 300*time.Millisecond ||
			c.Slots != 4 || c.PoolLimit != 3 || c.PoolPerHost != 2 || c.HoldSlots || c.Marker == "" || !strings.HasSuffix(c.URL, "/op/"+c.Op+"/") {
			t.Errorf("%+v", c)
		}
		if got := c.Policy; got.Budget != time.Second || got.MaxAttempts != 3 || got.Limits.Total != 400*time.Millisecond || len(got.Backoff) != 2 ||
			got.Backoff[0] < 110*time.Millisecond || got.Backoff[0] > 120*time.Millisecond || got.Backoff[1] < 210*time.Millisecond {
			t.Errorf("%+v", got)
		}
		start := rec.client[c.Op][0]
		if start.Start.DeadlineNs-start.AtNs != int64(300*time.Millisecond) || start.Start.T0Ns != start.AtNs {
			t.Errorf("%+v", start.Start)
		}
	})
}

// Callers have one client as far as they share anything, else one each.
func TestForeignCallers(t *testing.T) {
	for share, want := range map[string]int{"": 10, scenario.ShareTransport: 2, scenario.ShareSlots: 2} {
		s := *load(t, "healthy")
		s.Callers = &scenario.Callers{Count: 5}
		if share != "" {
			s.Callers.Share = []string{share}
		}
		if share == scenario.ShareSlots {
			s.Slots = 5
		}
		inLab(t, func(l *lab) {
			v, caller := l.foreign("fake", nil)
			p := l.foreignPlan(runner.Options{Repeats: 1, Operations: 2, NoWarmup: true}, v, &s)
			rec := l.mustRun(p)
			if got := caller.clientsOf(); len(got) != want || !slices.Equal(slices.Sorted(slices.Values(caller.forgotten)), got) {
				t.Errorf("sharing %q: clients %v, forgotten %v", share, got, caller.forgotten)
			}
			for _, it := range p.Items {
				for i, op := range it.Ops() {
					if s := rec.client[op][0].Start; s.Group != it.Op || s.Caller != i+1 {
						t.Errorf("%s: %+v", op, s)
					}
				}
			}
		})
	}
}

// Every caller of a group can be cancelled, and the probe finds the client in
// order.
func TestForeignGroupIsCancelled(t *testing.T) {
	inLab(t, func(l *lab) {
		v, caller := l.foreign("fake", func(f *variants.Foreign) { f.AtOnce = 500 })
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

// A variant of the bench beside a client in a process of its own: both get
// their results, and a broken client costs the other nothing.
func TestForeignBesideVariant(t *testing.T) {
	inLab(t, func(l *lab) {
		v, caller := l.foreign("fake", func(f *variants.Foreign) { f.AtOnce = 1 })
		var calls atomic.Int64
		caller.instead = func(context.Context, *variants.Call) variants.Ending {
			calls.Add(1)
			return variants.Ending{Broken: "it is dead"}
		}
		d, _ := variants.Find("D")
		p, err := runner.NewPlan([]*scenario.Scenario{load(t, "slow_headers")}, []variants.Variant{v, d}, runner.Options{Repeats: 1, Operations: 5})
		if err != nil {
			t.Fatal(err)
		}
		rec := l.mustRun(p)
		for _, it := range p.Items {
			events := rec.client[it.Op]
			if took := time.Duration(events[len(events)-1].TNs - events[0].TNs); it.Label == "D" && took != time.Second {
				t.Errorf("%s took %s", it.Op, took)
			}
		}
		if calls.Load() != 6 || count(rec.client[""], eventlog.LeaksCounted) != 1 {
			t.Errorf("%d calls, leaks counted %d times", calls.Load(), count(rec.client[""], eventlog.LeaksCounted))
		}
	})
}
