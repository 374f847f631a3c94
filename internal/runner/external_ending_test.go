package runner_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/deadlinelab/deadlinelab/internal/eventlog"
	"github.com/deadlinelab/deadlinelab/internal/runner"
	"github.com/deadlinelab/deadlinelab/internal/variants"
)

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
		{"ignores the cap", func(ctx context.Context, c *variants.Call) variants.Ending {
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
			v, caller := l.external("fake", nil)
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
		v, caller := l.external("fake", nil)
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

// An operation that is given up with its run has no end in the log, and its
// client is forgotten.
func TestForeignGivenUp(t *testing.T) {
	for _, name := range []string{"slow_headers", "semaphore_wait", "pool_wait"} {
		inLab(t, func(l *lab) {
			v, caller := l.external("fake", nil)
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

// A client that ignores its caller's cancel does not hold up a run that is
// given up.
func TestForeignDeafWhenGivenUp(t *testing.T) {
	inLab(t, func(l *lab) {
		v, caller := l.external("fake", nil)
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
