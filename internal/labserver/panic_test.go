package labserver

import (
	"bytes"
	"log"
	"net/http"
	"strings"
	"testing"

	"github.com/deadlinelab/deadlinelab/internal/eventlog"
	"github.com/deadlinelab/deadlinelab/internal/fault"
)

// broken is a fault with a defect: its first exchange panics as its handler, its
// second beside it.
type broken struct{ fault.Fault }

func (broken) Serve(ex fault.Exchange) error {
	switch n := ex.Number(); n {
	case 1:
		panic("defect 1")
	case 2:
		ex.(*exchange).beside(func() { panic("defect 2") })
	}
	return ex.Headers(http.StatusNoContent, nil, 0)
}

// A panic ends the exchange in which it happens, with an event; the operation's
// next exchange is served as ever.
func TestPanicEndsItsExchange(t *testing.T) {
	var stacks bytes.Buffer
	inLab(t, Config{ErrorLog: log.New(&stacks, "", 0)}, func(l *lab) {
		ops := l.experiment("{type: healthy}", op("op-1"))
		x := must(l.server.find("x"))(l)
		x.scenario.Fault = broken{x.scenario.Fault}
		if got, _ := l.get(ops[0].BaseURL); got != "EOF" {
			l.Errorf("exchange 1: %q", got)
		}
		l.get(ops[0].BaseURL) // a race between its answer and its end
		if got, _ := l.get(ops[0].BaseURL); got != "204 " {
			l.Errorf("exchange 3: %q", got)
		}
		events := l.log()
		check(l, kinds(events, eventlog.ServerFailed), "server_failed", "server_failed")
		check(l, story(events, "op-1", 1), "0 server_request_started", "0 server_failed error=defect 1",
			"0 server_handler_finished error=labserver panicked: defect 1")
	})
	if got := stacks.String(); strings.Count(got, "broken.Serve") < 2 {
		t.Errorf("no stacks: %s", got)
	}
}
