package labserver

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/deadlinelab/deadlinelab/internal/control"
	"github.com/deadlinelab/deadlinelab/internal/eventlog"
)

// A listener of an operation's own counts as a connection, and a black hole as
// two.
func TestApproachesAreLimited(t *testing.T) {
	inLab(t, Config{MaxConnections: 5}, func(l *lab) {
		l.experiment("{type: black_hole}", op("op-1"), op("op-2"))
		_, err := l.Register(l.Context(), "x", []control.OperationRequest{op("op-3")})
		if err == nil || !strings.Contains(err.Error(), `no listener for operation "op-3": labserver is at its limit of 5 connections`) {
			l.Errorf("got %v", err)
		}
		must(l.Delete(l.Context(), "x"))(l)
		l.experiment("{type: accept_silence}", op("a"), op("b"), op("c"), op("d"))
	})
}

// Registering again gives the same address; helpers and probes are served where
// everybody is.
func TestApproachesOfOperations(t *testing.T) {
	inLab(t, Config{}, func(l *lab) {
		ops := l.experiment("{type: refused}", op("op-1"), op("op-2"), control.OperationRequest{Op: "h", Phase: eventlog.Helper})
		again := must(l.Register(l.Context(), "x", []control.OperationRequest{op("op-1")}))(l)
		if again[0] != ops[0] || strings.HasPrefix(ops[0].BaseURL, baseOf(ops[1].BaseURL)) {
			l.Errorf("addresses %+v, again %+v", ops, again)
		}
		if data := must(l.Experiment(l.Context(), "x"))(l).DataURL; !strings.HasPrefix(ops[2].BaseURL, data) {
			l.Errorf("helper at %s, expected %s", ops[2].BaseURL, data)
		}
	})
}

func baseOf(url string) string { return url[:strings.Index(url, "/op/")] }

// The connections of an operation's own listener are events of the operation.
func TestAcceptedForAnOperation(t *testing.T) {
	inLab(t, Config{}, func(l *lab) {
		ops := l.experiment("{type: reset_on_accept}", op("op-1"))
		if _, err := l.http.Get(ops[0].BaseURL); err == nil {
			l.Error("no error")
		}
		for _, e := range l.log() {
			if e.Kind == eventlog.ConnectionAccepted && e.Op != "op-1" {
				l.Errorf("accepted for %q", e.Op)
			}
		}
		check(l, kinds(l.log(), eventlog.ConnectionClosed), "connection_closed server rst")
	})
}

// By hand there is one address, and it is the one of the script.
func TestConnectionFaultByHand(t *testing.T) {
	inLab(t, Config{}, func(l *lab) {
		x := must(l.Create(l.Context(), control.ExperimentRequest{Name: "x", Scenario: upstream("{type: refused}"), AutoOperations: true}))(l)
		if _, err := l.http.Get(x.DataURL); err == nil || !strings.Contains(err.Error(), "refused") {
			l.Errorf("got %v", err)
		}
	})
}

// An idle connection is closed when its time is over, to the nanosecond.
func TestIdleClose(t *testing.T) {
	inLab(t, Config{}, func(l *lab) {
		ops := l.experiment("{type: keep_alive, close_after: 0, idle_close_ms: 100, response_delay_ms: 0}", op("op-1"))
		l.get(ops[0].BaseURL)
		waitFor(l)
		var accepted, closed int64
		for _, e := range l.log() {
			switch e.Kind {
			case eventlog.ConnectionAccepted:
				accepted = e.TNs
			case eventlog.ConnectionClosed:
				closed = e.TNs
			}
		}
		if closed-accepted != 100e6 {
			l.Errorf("closed after %d ns", closed-accepted)
		}
	})
}

// In a sequence it is the step that answered last which says how long its
// connection may be idle.
func TestIdleCloseOfSteps(t *testing.T) {
	inLab(t, Config{}, func(l *lab) {
		step := func(idle int) string {
			return fmt.Sprintf("{type: keep_alive, close_after: 0, idle_close_ms: %d, response_delay_ms: 0}", idle)
		}
		ops := l.experiment("{type: sequence, steps: ["+step(100)+", "+step(300)+", {type: healthy}, "+step(100)+"]}", op("op-1"))
		for range 3 {
			l.get(ops[0].BaseURL)
			time.Sleep(200 * time.Millisecond)
		}
		time.Sleep(time.Minute)
		l.get(ops[0].BaseURL)
		l.Wait(l.Context(), "x", eventlog.ConnectionClosed, "", 2, time.Second)
		var got []string
		for _, e := range l.log() {
			if e.Kind == eventlog.ConnectionAccepted || e.Kind == eventlog.ServerRequestStarted || e.Kind == eventlog.ConnectionClosed {
				got = append(got, fmt.Sprintf("%s %d %s", e.Kind, (e.TNs-l.log()[0].TNs)/1e6, e.By+e.How))
			}
		}
		check(l, got, "connection_accepted 0 ", "server_request_started 0 ", "connection_closed 100 serverfin",
			"connection_accepted 200 ", "server_request_started 200 ", "server_request_started 400 ", "server_request_started 60600 ", "connection_closed 60700 serverfin")
	})
}

func waitFor(l *lab) {
	l.Wait(l.Context(), "x", eventlog.ConnectionClosed, "", 1, 1e9)
}

// The first connections of an operation meet the script, further ones are served.
func TestTimes(t *testing.T) {
	inLab(t, Config{}, func(l *lab) {
		ops := l.experiment("{type: reset_on_accept, times: 2}", op("op-1"), op("op-2"))
		for range 2 {
			if _, err := l.http.Get(ops[0].BaseURL); err == nil {
				l.Error("no error")
			}
		}
		if got, _ := l.get(ops[0].BaseURL); got != "200 "+okBody {
			l.Errorf("third: %s", got)
		}
		if _, err := l.http.Get(ops[1].BaseURL); err == nil {
			l.Error("another operation: no error")
		}
	})
}
