package runner_test

import (
	"context"
	"errors"
	"sync"
	"testing"
	"time"

	"go.uber.org/goleak"

	"github.com/deadlinelab/deadlinelab/internal/eventlog"
	"github.com/deadlinelab/deadlinelab/internal/runner"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// An occupied slot is held by an operation of its own until hold_ms after t0.
func TestHeldSlot(t *testing.T) {
	inLab(t, func(l *lab) {
		p := l.plan(runner.Options{Repeats: 1, Operations: 3}, "C D", load(t, "semaphore_wait"))
		rec := l.mustRun(p)
		for _, it := range p.Items {
			t0 := rec.client[it.Op][0].TNs
			released, ok := first(rec.client[it.Helper], eventlog.AdmissionReleased)
			if !ok || released.TNs-t0 != int64(1100*time.Millisecond) {
				t.Errorf("%s: released %s after t0", it.Helper, time.Duration(released.TNs-t0))
			}
			if got := kinds(rec.client[it.Helper]); got != "operation_started admission_wait_started admission_acquired admission_released operation_finished" {
				t.Errorf("%s: %s", it.Helper, got)
			}
			if s := rec.client[it.Helper][0].Start; s.For != it.Op || s.Phase != eventlog.Helper {
				t.Errorf("%s: %+v", it.Helper, s)
			}
		}
	})
}

// An occupied connection is that of a helper whose body ends hold_ms after t0;
// the next request gets the same connection.
func TestHeldConnection(t *testing.T) {
	inLab(t, func(l *lab) {
		p := l.plan(runner.Options{Repeats: 1, Operations: 3}, "B D", load(t, "pool_wait"))
		rec := l.mustRun(p)
		for _, it := range p.Items {
			t0 := rec.client[it.Op][0].TNs
			body, ok := first(rec.client[it.Helper], eventlog.BodyFinished)
			if !ok || body.TNs-t0 != int64(1100*time.Millisecond) {
				t.Errorf("%s: body ended %s after t0", it.Helper, time.Duration(body.TNs-t0))
			}
			if it.Label == "D" {
				continue
			}
			mine, _ := first(rec.client[it.Op], eventlog.ConnectionAcquired)
			helpers, _ := first(rec.client[it.Helper], eventlog.ConnectionAcquired)
			if !mine.Reused || mine.Conn != helpers.Conn {
				t.Errorf("%s: %+v, helper's %s", it.Op, mine, helpers.Conn)
			}
		}
	})
}

// t0 of the measured operation is the first one's backoff_started.
func TestLead(t *testing.T) {
	inLab(t, func(l *lab) {
		p := l.plan(runner.Options{Repeats: 1, Operations: 3}, "", load(t, "backoff_holds_slot"))
		rec := l.mustRun(p)
		for _, it := range p.Items {
			began, ok := first(rec.client[it.Helper], eventlog.BackoffStarted)
			if t0 := rec.client[it.Op][0].TNs; !ok || began.TNs != t0 {
				t.Errorf("%s: t0 %s after the pause began", it.Op, time.Duration(t0-began.TNs))
			}
		}
	})
}

// A lead that never pauses does not keep the measured operation waiting.
func TestLeadWithoutPause(t *testing.T) {
	inLab(t, func(l *lab) {
		p := l.plan(runner.Options{Repeats: 1, Operations: 2}, "A G", load(t, "backoff_holds_slot"))
		rec := l.mustRun(p)
		for _, it := range p.Items {
			if end, _ := first(rec.client[it.Op], eventlog.OperationFinished); end.Outcome != eventlog.Success {
				t.Errorf("%s: %s", it.Op, kinds(rec.client[it.Op]))
			}
		}
	})
}

// A cancel is due at its trigger's own time plus the delay; the client leaves
// at once, the handler goes on; a probe then finds slots and pool in order.
func TestCancelMoments(t *testing.T) {
	for _, c := range []struct {
		name    string
		trigger eventlog.Kind
		server  bool
		after   time.Duration
		handler time.Duration
		without eventlog.Kind
	}{
		{"cancel_in_http", eventlog.ServerRequestStarted, true, 100 * time.Millisecond, 300 * time.Millisecond, eventlog.HeadersReceived},
		{"cancel_in_backoff", eventlog.BackoffStarted, false, 50 * time.Millisecond, 0, eventlog.BackoffFinished},
	} {
		inLab(t, func(l *lab) {
			p := l.plan(runner.Options{Repeats: 1, Operations: 3}, "", load(t, c.name))
			rec := l.mustRun(p)
			for _, it := range p.Items {
				events := rec.client[it.Op]
				side := events
				if c.server {
					side = rec.server[it.Op]
				}
				trigger, _ := first(side, c.trigger)
				requested, _ := first(events, eventlog.ExternalCancelRequested)
				if got := time.Duration(requested.TNs - trigger.TNs); got != c.after {
					t.Errorf("%s: cancelled %s after %s", it.Op, got, c.trigger)
				}
				if end, _ := first(events, eventlog.OperationFinished); end.TNs != requested.TNs {
					t.Errorf("%s: control came back %s after the cancel", it.Op, time.Duration(end.TNs-requested.TNs))
				}
				if done, _ := first(rec.server[it.Op], eventlog.ServerHandlerFinished); time.Duration(done.TNs-events[0].TNs) != c.handler {
					t.Errorf("%s: the handler finished at %s", it.Op, time.Duration(done.TNs-events[0].TNs))
				}
				if count(events, c.without) > 0 || count(events, eventlog.AttemptStarted) != 1 {
					t.Errorf("%s: %s", it.Op, kinds(events))
				}
				if probe, _ := first(rec.client[it.Probe], eventlog.OperationFinished); probe.Outcome != eventlog.Success {
					t.Errorf("%s: %s", it.Probe, kinds(rec.client[it.Probe]))
				}
			}
		})
	}
}

// Operations that were not cancelled are not probed.
func TestNoProbeWithoutCancel(t *testing.T) {
	inLab(t, func(l *lab) {
		p := l.plan(runner.Options{Repeats: 1, Operations: 1}, "A", load(t, "cancel_in_backoff"))
		rec := l.mustRun(p)
		for _, it := range p.Items {
			if len(rec.client[it.Probe]) > 0 {
				t.Errorf("%s was probed", it.Op)
			}
		}
	})
}

// Ninety operations of a second each take milliseconds, and the sampler runs.
func TestNinetyOperations(t *testing.T) {
	inLab(t, func(l *lab) {
		p := l.plan(runner.Options{Repeats: 3, Operations: 30, NoWarmup: true}, "D", load(t, "slow_headers"))
		var last runner.Progress
		l.config = func(c *runner.Config) { c.Progress = func(at runner.Progress) { last = at } }
		rec := l.mustRun(p)
		if last != (runner.Progress{Done: 90, Total: 90}) {
			t.Errorf("%+v", last)
		}
		if rec.noise == 0 {
			t.Error("no noise was sampled")
		}
		ended := 0
		for _, it := range p.Items {
			ended += count(rec.client[it.Op], eventlog.OperationFinished)
		}
		if ended != 90 {
			t.Errorf("%d of 90 ended", ended)
		}
	})
}

// Never more than Parallel operations run at once.
func TestParallel(t *testing.T) {
	inLab(t, func(l *lab) {
		most := 0
		l.config = func(c *runner.Config) {
			c.Parallel = 4
			c.Progress = func(at runner.Progress) { most = max(most, at.Running) }
		}
		l.mustRun(l.plan(runner.Options{Repeats: 1, Operations: 20}, "D", load(t, "slow_headers")))
		if most != 4 {
			t.Errorf("%d at once", most)
		}
	})
}

// Live sees every event of both sides.
func TestLive(t *testing.T) {
	inLab(t, func(l *lab) {
		var mu sync.Mutex
		seen := map[string]int{}
		l.config = func(c *runner.Config) {
			c.Live = func(side string, e eventlog.Event) {
				mu.Lock()
				defer mu.Unlock()
				if e.Op != "" && e.TNs > 0 {
					seen[side]++
				}
			}
		}
		p := l.plan(runner.Options{Repeats: 1, Operations: 2}, "C D", load(t, "healthy"))
		rec := l.mustRun(p)
		want := map[string]int{}
		for op := range rec.client {
			if op != "" {
				want["client"] += len(rec.client[op])
				want["server"] += len(rec.server[op])
			}
		}
		if seen["client"] != want["client"] || seen["server"] != want["server"] {
			t.Errorf("%v, want %v", seen, want)
		}
	})
}

func (full) Write([]byte) (int, error) { return 0, errors.New("disk full") }

// On another clock the offset comes from exchanges: server times are moved by
// it, and what is asked of the server too.
func TestOtherClock(t *testing.T) {
	inSkewedLab(t, time.Hour, func(l *lab) {
		result, err := l.run(context.Background(), l.plan(runner.Options{Repeats: 1, Operations: 1, NoWarmup: true}, "D", load(t, "healthy")))
		if err != nil || result.Clock.Shared || result.Clock.BoundNs != 1 {
			t.Fatalf("%+v, %v", result, err)
		}
		if off := time.Duration(result.Clock.OffsetNs); off < 59*time.Minute || off > 61*time.Minute {
			t.Errorf("offset %s", off)
		}
	})
	for _, c := range []struct {
		name  string
		label string
		want  time.Duration
	}{{"pool_wait", "B", 1120 * time.Millisecond}, {"cancel_in_http", "B", 100 * time.Millisecond}} {
		inSkewedLab(t, time.Hour, func(l *lab) {
			p := l.plan(runner.Options{Repeats: 1, Operations: 1, NoWarmup: true}, c.label, load(t, c.name))
			events := l.mustRun(p).client[p.Items[0].Op]
			if end, _ := first(events, eventlog.OperationFinished); time.Duration(end.TNs-events[0].TNs) != c.want {
				t.Errorf("%s: %s, want %s", c.name, time.Duration(end.TNs-events[0].TNs), c.want)
			}
		})
	}
}
