package runner_test

import (
	"bytes"
	"context"
	"errors"
	"net"
	"net/http"
	"strings"
	"sync"
	"testing"
	"time"

	"go.uber.org/goleak"

	"github.com/deadlinelab/deadlinelab/internal/clock"
	"github.com/deadlinelab/deadlinelab/internal/control"
	"github.com/deadlinelab/deadlinelab/internal/eventlog"
	"github.com/deadlinelab/deadlinelab/internal/labserver"
	"github.com/deadlinelab/deadlinelab/internal/runner"
	"github.com/deadlinelab/deadlinelab/internal/scenario"
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
		for _, it := range p.Items {
			want["client"] += len(rec.client[it.Op])
			want["server"] += len(rec.server[it.Op])
		}
		if seen["client"] != want["client"] || seen["server"] != want["server"] {
			t.Errorf("%v, want %v", seen, want)
		}
	})
}

// Ctrl-C: nothing more starts, what ran has no end in the log, what had ended
// keeps its own, and both logs are whole.
func TestInterrupted(t *testing.T) {
	inLab(t, func(l *lab) {
		ctx, cancel := context.WithCancel(context.Background())
		time.AfterFunc(1500*time.Millisecond, cancel)
		l.config = func(c *runner.Config) { c.Parallel = 5 }
		p := l.plan(runner.Options{Repeats: 1, Operations: 20, NoWarmup: true}, "D", load(t, "slow_headers"))
		result, err := l.run(ctx, p)
		if err != nil || !result.Interrupted {
			t.Fatalf("%+v, %v", result, err)
		}
		rec := l.record()
		started, ended := 0, 0
		for _, it := range p.Items {
			started += count(rec.client[it.Op], eventlog.OperationStarted)
			ended += count(rec.client[it.Op], eventlog.OperationFinished)
			if end, ok := first(rec.client[it.Op], eventlog.OperationFinished); ok && end.Outcome != eventlog.DeadlineExceeded {
				t.Errorf("%s: %s", it.Op, end.Outcome)
			}
		}
		if started != 10 || ended != 5 {
			t.Errorf("%d started, %d ended", started, ended)
		}
		if len(result.Tallies) != 1 || rec.lastSeq[result.Tallies[0].Experiment] != result.Tallies[0].LastSeq {
			t.Errorf("%+v, log ends at %v", result.Tallies, rec.lastSeq)
		}
	})
}

// A labserver that dies mid-run is noticed at once; what was measured is kept.
func TestServerLost(t *testing.T) {
	for _, name := range []string{"slow_headers", "semaphore_wait", "pool_wait", "cancel_in_http", "backoff_holds_slot"} {
		inLab(t, func(l *lab) {
			began := time.Now()
			time.AfterFunc(1500*time.Millisecond, func() { l.server.Close() })
			l.config = func(c *runner.Config) { c.Parallel = 5 }
			result, err := l.run(context.Background(), l.plan(runner.Options{Repeats: 1, Operations: 200, NoWarmup: true}, "D E", load(t, name)))
			var lost *runner.ServerLost
			if !errors.As(err, &lost) || result == nil || result.Interrupted {
				t.Fatalf("%s: %+v, %v", name, result, err)
			}
			if took := time.Since(began); took > 2600*time.Millisecond {
				t.Errorf("%s: noticed after %s", name, took)
			}
			if rec := l.record(); len(rec.server) == 0 || len(rec.client) == 0 {
				t.Errorf("%s: nothing is kept", name)
			}
		})
	}
}

// The end of labserver's process is noticed without any call.
func TestProcessLost(t *testing.T) {
	inLab(t, func(l *lab) {
		gone := make(chan struct{})
		time.AfterFunc(500*time.Millisecond, func() { close(gone) })
		l.config = func(c *runner.Config) { c.Lost = gone }
		_, err := l.run(context.Background(), l.plan(runner.Options{Repeats: 1, Operations: 5}, "G", load(t, "hang")))
		var lost *runner.ServerLost
		if !errors.As(err, &lost) || !strings.Contains(err.Error(), "process has ended") {
			t.Errorf("%v", err)
		}
	})
}

// Nothing listens: the error says so, and nothing was started.
func TestNoServer(t *testing.T) {
	inLab(t, func(l *lab) {
		l.control = control.NewClient("http://127.0.0.1:9", "token", &http.Client{Transport: l.http})
		result, err := l.run(context.Background(), l.plan(runner.Options{Repeats: 1, Operations: 1}, "D", load(t, "healthy")))
		var lost *runner.ServerLost
		if !errors.As(err, &lost) || result.Done != 0 {
			t.Errorf("%+v, %v", result, err)
		}
	})
}

// A refused call is no lost server: the message is labserver's own.
func TestServerRefuses(t *testing.T) {
	inLab(t, func(l *lab) {
		base, err := l.server.Start("127.0.0.1:0")
		if err != nil {
			t.Fatal(err)
		}
		l.control = control.NewClient(base, "another token", &http.Client{Transport: l.http})
		_, err = l.run(context.Background(), l.plan(runner.Options{Repeats: 1, Operations: 1}, "D", load(t, "healthy")))
		var refused *control.APIError
		var lost *runner.ServerLost
		if !errors.As(err, &refused) || errors.As(err, &lost) {
			t.Errorf("%v", err)
		}
	})
}

// A log that cannot be written does not stop the run; it is an error at its end.
func TestServerLogFails(t *testing.T) {
	inLab(t, func(l *lab) {
		l.config = func(c *runner.Config) { c.ServerLog = full{} }
		p := l.plan(runner.Options{Repeats: 1, Operations: 2, NoWarmup: true}, "D", load(t, "healthy"))
		result, err := l.run(context.Background(), p)
		if err == nil || !strings.Contains(err.Error(), "disk full") || result.Done != 2 {
			t.Errorf("%+v, %v", result, err)
		}
	})
}

type full struct{}

func (full) Write([]byte) (int, error) { return 0, errors.New("disk full") }

// A handler that goes on beyond the wait is named.
func TestBusyHandlersAreNamed(t *testing.T) {
	inLab(t, func(l *lab) {
		text, err := scenario.Marshal(load(t, "hang"))
		if err != nil {
			t.Fatal(err)
		}
		deaf, err := scenario.Parse("deaf.yaml", bytes.Replace(text, []byte("handler_cancellation: true"), []byte("handler_cancellation: false"), 1))
		if err != nil {
			t.Fatal(err)
		}
		l.config = func(c *runner.Config) { c.Settle = 100 * time.Millisecond }
		p := l.plan(runner.Options{Repeats: 1, Operations: 1, NoWarmup: true}, "A", deaf)
		result, err := l.run(context.Background(), p)
		if err != nil || len(result.Busy) != 1 || result.Busy[0] != p.Items[0].Op {
			t.Errorf("%+v, %v", result, err)
		}
	})
}

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

// A small set on real loopback: the same code over TCP.
func TestLoopback(t *testing.T) {
	clk := clock.New()
	server := labserver.New(labserver.Config{Listen: net.Listen, Clock: clk, Token: "token", Version: "test"})
	base, err := server.Start("127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer server.Close()
	transport := &http.Transport{}
	defer transport.CloseIdleConnections()
	recorder := eventlog.NewRecorder(clk, eventlog.Header{Side: eventlog.ClientSide})
	l := &lab{t: t, clock: clk, recorder: recorder, control: control.NewClient(base, "token", &http.Client{Transport: transport}),
		config: func(c *runner.Config) { c.Dial = (&net.Dialer{}).DialContext }}
	defer recorder.Close()
	scenarios := []string{"healthy", "transient_error", "pool_wait", "cancel_in_http", "semaphore_wait"}
	for _, name := range scenarios {
		s := load(t, name)
		p := l.plan(runner.Options{Repeats: 1, Operations: 2, NoWarmup: true}, "B D", s)
		l.serverLog = bytes.Buffer{}
		rec := l.mustRun(p)
		for _, it := range p.Items {
			end, _ := first(rec.client[it.Op], eventlog.OperationFinished)
			if want := s.Expect[it.Variant]; end.Outcome != *want.Outcome || !want.ServerRequests.Holds(count(rec.server[it.Op], eventlog.ServerRequestStarted)) {
				t.Errorf("%s: %s, %d requests", it.Op, end.Outcome, count(rec.server[it.Op], eventlog.ServerRequestStarted))
			}
			if acquired, ok := first(rec.client[it.Op], eventlog.ConnectionAcquired); ok && !acquired.Reused && count(rec.client[it.Op], eventlog.ConnectFinished) == 0 {
				t.Errorf("%s: a new connection without a dial: %s", it.Op, kinds(rec.client[it.Op]))
			}
		}
	}
}
