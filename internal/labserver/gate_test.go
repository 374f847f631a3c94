package labserver

import (
	"errors"
	"net/http"
	"testing"
	"time"

	"github.com/deadlinelab/deadlinelab/internal/control"
	"github.com/deadlinelab/deadlinelab/internal/eventlog"
)

const poolWait = "{type: pool_wait, hold_ms: 1100}"

// held starts a helper's request and returns when it is held, with a channel
// that gets its answer and how long it took.
func (l *lab) held() <-chan string {
	l.Helper()
	ops := l.experiment(poolWait, control.OperationRequest{Op: "op-1", Phase: eventlog.Helper})
	answer := l.begin(ops[0])
	must(l.Held(l.Context(), "x", "op-1", 1, time.Second))(l)
	return answer
}

func (l *lab) begin(o control.Operation) <-chan string {
	done := make(chan string, 1)
	go func() {
		answer, took := l.get(o.BaseURL)
		done <- answer + " after " + took.String()
	}()
	return done
}

func (l *lab) release(r control.Release) {
	l.Helper()
	if err := l.Release(l.Context(), "x", "op-1", r); err != nil {
		l.Fatal(err)
	}
}

func TestReleaseAtAnInstant(t *testing.T) {
	inLab(t, Config{}, func(l *lab) {
		answer := l.held()
		l.release(control.Release{AtNs: l.server.cfg.Clock.Now() + 1100e6})
		if got, want := <-answer, "200 "+okBody+" after 1.1s"; got != want {
			l.Errorf("got %q, want %q", got, want)
		}
		check(l, story(l.log(), "op-1", 1), "0 server_request_started", "0 server_headers_prepared status=200", "0 server_headers_written status=200",
			"0 server_body_written bytes=1 total=1", "0 gate_held", "1100 gate_released due=1100 late=0",
			"1100 server_body_written bytes=29 total=30", "1100 server_body_finished total=30", "1100 server_handler_finished")
	})
}

func TestReleaseNow(t *testing.T) {
	inLab(t, Config{}, func(l *lab) {
		answer := l.held()
		time.Sleep(250 * time.Millisecond)
		l.release(control.Release{})
		if got, want := <-answer, "200 "+okBody+" after 250ms"; got != want {
			l.Errorf("got %q, want %q", got, want)
		}
	})
}

// A release that comes before its exchange is kept for it, and nothing is late.
func TestReleaseBeforeHeld(t *testing.T) {
	inLab(t, Config{}, func(l *lab) {
		ops := l.experiment(poolWait, control.OperationRequest{Op: "op-1", Phase: eventlog.Helper})
		l.release(control.Release{})
		time.Sleep(time.Second)
		if got, want := <-l.begin(ops[0]), "200 "+okBody+" after 0s"; got != want {
			l.Errorf("got %q, want %q", got, want)
		}
		check(l, story(l.log(), "op-1", 1)[4:6], "0 gate_held", "0 gate_released due=0 late=0")
	})
}

// A release now overtakes one that was planned for later; each lets one pass.
func TestEachPermitLetsOnePass(t *testing.T) {
	inLab(t, Config{}, func(l *lab) {
		ops := l.experiment(poolWait, control.OperationRequest{Op: "op-1", Phase: eventlog.Helper})
		first, second := l.begin(ops[0]), l.begin(ops[0])
		if g := must(l.Held(l.Context(), "x", "op-1", 2, time.Second))(l); g.Held != 2 || g.Released != 0 {
			l.Errorf("got %+v", g)
		}
		l.release(control.Release{AtNs: l.server.cfg.Clock.Now() + 500e6})
		time.Sleep(100 * time.Millisecond)
		l.release(control.Release{})
		time.Sleep(time.Second)
		got := map[string]bool{<-first: true, <-second: true}
		if !got["200 "+okBody+" after 100ms"] || !got["200 "+okBody+" after 500ms"] {
			l.Errorf("got %v", got)
		}
		if g := must(l.Held(l.Context(), "x", "op-1", 0, time.Second))(l); g.Held != 0 || g.Released != 2 {
			l.Errorf("afterwards %+v", g)
		}
	})
}

func TestReleaseTooFarAhead(t *testing.T) {
	inLab(t, Config{}, func(l *lab) {
		l.held()
		err := l.Release(l.Context(), "x", "op-1", control.Release{AtNs: l.server.cfg.Clock.Now() + int64(gateLimit) + 1})
		var api *control.APIError
		if !errors.As(err, &api) || api.Status != http.StatusBadRequest {
			l.Errorf("got %v", err)
		}
	})
}

// Permits that nobody takes are not heaped up without end.
func TestTooManyPermits(t *testing.T) {
	inLab(t, Config{}, func(l *lab) {
		l.experiment(poolWait, control.OperationRequest{Op: "op-1", Phase: eventlog.Helper})
		l.release(control.Release{Count: maxPermits - 1})
		err := l.Release(l.Context(), "x", "op-1", control.Release{Count: 2})
		var api *control.APIError
		if !errors.As(err, &api) || api.Status != http.StatusConflict || api.Message != "count 2: the gate keeps 19999 permits already, expected at most 20000" {
			l.Errorf("got %v", err)
		}
		l.release(control.Release{})
	})
}

// A gate that nobody opens gives up: the connection is closed in the middle of
// the answer, and the log says why.
func TestGateExpires(t *testing.T) {
	inLab(t, Config{}, func(l *lab) {
		answer := l.held()
		if got, want := <-answer, "200 { unexpected EOF after 2m0s"; got != want {
			l.Errorf("got %q, want %q", got, want)
		}
		events := l.log()
		check(l, story(events, "op-1", 1)[4:], "0 gate_held", "120000 gate_expired", "120000 server_handler_finished error=the gate expired before it was released")
		check(l, kinds(events, eventlog.ConnectionClosed), "connection_closed server fin")
	})
}

// A gate that is told to let somebody pass now wakes who waits to see it held.
func TestHeldWaits(t *testing.T) {
	inLab(t, Config{}, func(l *lab) {
		ops := l.experiment(poolWait, control.OperationRequest{Op: "op-1", Phase: eventlog.Helper})
		time.AfterFunc(300*time.Millisecond, func() { l.get(ops[0].BaseURL) })
		start := time.Now()
		must(l.Held(l.Context(), "x", "op-1", 1, time.Second))(l)
		if took := time.Since(start); took != 300*time.Millisecond {
			l.Errorf("took %v", took)
		}
		l.release(control.Release{})
	})
}

func TestHeldTimesOut(t *testing.T) {
	inLab(t, Config{}, func(l *lab) {
		l.experiment(poolWait, op("op-1"))
		_, err := l.Held(l.Context(), "x", "op-1", 1, 250*time.Millisecond)
		var api *control.APIError
		if !errors.As(err, &api) || !api.TimedOut() {
			l.Errorf("got %v", err)
		}
	})
}

// Who watches a gate is told when there will be nothing more to see.
func TestGateEndsWithTheExperiment(t *testing.T) {
	inLab(t, Config{}, func(l *lab) {
		l.experiment("{type: healthy}", op("op-1"))
		time.AfterFunc(time.Second, func() { l.Delete(l.Context(), "x") })
		start := time.Now()
		_, err := l.Held(l.Context(), "x", "op-1", 2, 10*time.Minute)
		want := `labserver: experiment "x" ended before gate "op-1": 0 held, expected 2 (410)`
		if err == nil || err.Error() != want || time.Since(start) != time.Second {
			l.Errorf("got %v after %v", err, time.Since(start))
		}
	})
}
