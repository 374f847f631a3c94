package runner_test

import (
	"bytes"
	"net"
	"net/http"
	"testing"

	"github.com/deadlinelab/deadlinelab/internal/clock"
	"github.com/deadlinelab/deadlinelab/internal/control"
	"github.com/deadlinelab/deadlinelab/internal/eventlog"
	"github.com/deadlinelab/deadlinelab/internal/labserver"
	"github.com/deadlinelab/deadlinelab/internal/runner"
)

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
