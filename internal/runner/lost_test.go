package runner_test

import (
	"bytes"
	"context"
	"errors"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/deadlinelab/deadlinelab/internal/control"
	"github.com/deadlinelab/deadlinelab/internal/eventlog"
	"github.com/deadlinelab/deadlinelab/internal/runner"
	"github.com/deadlinelab/deadlinelab/internal/scenario"
)

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

// A handler that goes on beyond the wait is named.
func TestBusyHandlersAreNamed(t *testing.T) {
	inLab(t, func(l *lab) {
		text, err := scenario.Marshal(load(t, "hang"))
		if err != nil {
			t.Fatal(err)
		}
		unbound, err := scenario.Parse("unbound.yaml", bytes.Replace(text, []byte("handler_cancellation: true"), []byte("handler_cancellation: false"), 1))
		if err != nil {
			t.Fatal(err)
		}
		l.config = func(c *runner.Config) { c.Settle = 100 * time.Millisecond }
		p := l.plan(runner.Options{Repeats: 1, Operations: 1, NoWarmup: true}, "A", unbound)
		result, err := l.run(context.Background(), p)
		if err != nil || len(result.Busy) != 1 || result.Busy[0] != p.Items[0].Op {
			t.Errorf("%+v, %v", result, err)
		}
	})
}
