package labserver

import (
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/deadlinelab/deadlinelab/internal/control"
	"github.com/deadlinelab/deadlinelab/internal/eventlog"
)

// The limit counts what one bulk would add, and an operation named twice once.
func TestRegisterTooMany(t *testing.T) {
	all := make([]control.OperationRequest, maxOperations+1)
	for i := range all {
		all[i].Op = "o" + strconv.Itoa(i)
	}
	var refused *refusal
	ops := operations{byID: map[string]*operation{}}
	if _, err := ops.register(all); !errors.As(err, &refused) || refused.message != "more than 500000 operations" || len(ops.byID) != 0 {
		t.Errorf("got %v, %d registered", err, len(ops.byID))
	}
	all[maxOperations].Op = "o0"
	if list, err := ops.register(all); err != nil || list[0] != list[maxOperations] || len(ops.byID) != maxOperations {
		t.Errorf("got %v, %d registered", err, len(ops.byID))
	}
}

// Who connects and asks for nothing is not kept.
func TestControlWithoutRequest(t *testing.T) {
	inLab(t, Config{}, func(l *lab) {
		c := must(l.net.DialContext(l.Context(), "tcp", strings.TrimPrefix(l.base, "http://")))(l)
		defer c.Close()
		must(c.Write([]byte("GET /v1/health HTTP/1.1\r\nX: ")))(l)
		start := time.Now()
		if _, err := io.ReadAll(c); err != nil || time.Since(start) != headersWithin {
			l.Errorf("%v after %v", err, time.Since(start))
		}
	})
}

// A cursor far ahead does not become the last event.
func TestEventsAhead(t *testing.T) {
	inLab(t, Config{}, func(l *lab) {
		l.experiment("{type: healthy}")
		if page := must(l.Events(l.Context(), "x", 1000, 10))(l); page.Next != 1000 || page.LastSeq != 1 {
			l.Errorf("got %+v", page)
		}
	})
}

// A request that has no path is as unscripted as one with a wrong path.
func TestOptionsOfTheServer(t *testing.T) {
	inLab(t, Config{}, func(l *lab) {
		l.experiment("{type: healthy}")
		data := strings.TrimPrefix(must(l.Experiment(l.Context(), "x"))(l).DataURL, "http://")
		c := must(l.net.DialContext(l.Context(), "tcp", data))(l)
		defer c.Close()
		must(c.Write([]byte("OPTIONS * HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n")))(l)
		if answer := must(io.ReadAll(c))(l); !strings.HasPrefix(string(answer), "HTTP/1.1 599 ") {
			l.Errorf("got %q", answer)
		}
	})
}

// Requests that no script covers need no token: what is kept of them is
// bounded, and that some are missing is in the log and in the tally.
func TestKeptEventsAreBounded(t *testing.T) {
	inLab(t, Config{}, func(l *lab) {
		l.experiment("{type: healthy}")
		x := must(l.server.find("x"))(l)
		for range 2 * mostKept {
			x.record(eventlog.Event{Kind: eventlog.Unscripted, Status: statusUnscripted, Error: `path "/" names no operation`})
		}
		if kept := x.recorder.Read(0, 0); len(kept) > mostKept+512 || kept[len(kept)-1].Seq < 2*mostKept {
			l.Errorf("%d are kept, up to %d", len(kept), kept[len(kept)-1].Seq)
		}
		page := must(l.Events(l.Context(), "x", 0, maxEvents))(l)
		first := must(eventlog.Decode(page.Events[0]))(l)
		if tally := must(l.Delete(l.Context(), "x"))(l); tally.Lost == 0 || tally.Lost != int64(first.Seq)-1 {
			l.Errorf("lost %d, the first of those kept is %d", tally.Lost, first.Seq)
		}
	})
}

// What registered operations may bring is kept beyond that: 90 of 2000 pieces
// each lose nothing, however late somebody reads.
func TestEventsOfOperationsAreKept(t *testing.T) {
	inLab(t, Config{}, func(l *lab) {
		ops := make([]control.OperationRequest, 90)
		for i := range ops {
			ops[i] = op(fmt.Sprintf("op-%d", i))
		}
		l.experiment("{type: healthy}", ops...)
		x := must(l.server.find("x"))(l)
		for i := range 90 * 6000 {
			x.record(eventlog.Event{Kind: eventlog.ServerBodyWritten, Op: ops[i%90].Op, Bytes: 1, Total: 1})
		}
		if tally := must(l.Delete(l.Context(), "x"))(l); tally.Lost != 0 {
			l.Errorf("lost %d", tally.Lost)
		}
	})
}

// The experiments that live at once are bounded, and one that is deleted makes
// room.
func TestTooManyExperiments(t *testing.T) {
	inLab(t, Config{}, func(l *lab) {
		request := control.ExperimentRequest{Scenario: upstream("{type: healthy}")}
		for range mostExperiments {
			must(l.Create(l.Context(), request))(l)
		}
		_, err := l.Create(l.Context(), request)
		want := `labserver: experiment "x1001": labserver holds 1000 experiments already, expected at most 1000 (507); hint: DELETE those that are over, or wait for their ttl`
		if err == nil || err.Error() != want {
			l.Errorf("got %v", err)
		}
		must(l.Delete(l.Context(), "x7"))(l)
		must(l.Create(l.Context(), request))(l)
	})
}
