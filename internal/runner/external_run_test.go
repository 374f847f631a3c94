package runner_test

import (
	"context"
	"net/http"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/deadlinelab/deadlinelab/adapter"
	"github.com/deadlinelab/deadlinelab/internal/eventlog"
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
			v, _ := l.external("fake", nil)
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

// A plan in which nothing is applicable is a run that is over with the last
// batch of the server's events.
func TestNothingApplicable(t *testing.T) {
	inLab(t, func(l *lab) {
		v, caller := l.external("fake", func(f *variants.External) { f.Can = nil })
		began := time.Now()
		l.mustRun(l.foreignPlan(runner.Options{Repeats: 3, Operations: 30}, v, load(t, "semaphore_wait"), load(t, "cancel_in_http")))
		if len(caller.calls) > 0 || time.Since(began) > time.Millisecond {
			t.Errorf("%d calls in %s", len(caller.calls), time.Since(began))
		}
	})
}

// Never more calls of a client are in flight than it makes at once; the wait for
// a place comes before t0.
func TestAtOnce(t *testing.T) {
	inLab(t, func(l *lab) {
		v, caller := l.external("fake", func(f *variants.External) { f.AtOnce = 3 })
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
		v, caller := l.external("fake", func(f *variants.External) { f.AtOnce = 5 })
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
		v, caller := l.external("fake", func(f *variants.External) { f.AtOnce = 3 })
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
		v, _ := l.external("fake", func(f *variants.External) { f.Kind, f.Can = eventlog.ExecClient, []string{adapter.CanCancel} })
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
		if n != 12 {
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
		v, caller := l.external("fake", nil)
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
			v, caller := l.external("fake", nil)
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

// A variant of the bench beside a client in a process of its own: both get
// their results, and a broken client costs the other nothing.
func TestForeignBesideVariant(t *testing.T) {
	inLab(t, func(l *lab) {
		v, caller := l.external("fake", func(f *variants.External) { f.AtOnce = 1 })
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
