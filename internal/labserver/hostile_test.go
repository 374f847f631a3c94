package labserver

import (
	"errors"
	"io"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/deadlinelab/deadlinelab/internal/control"
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
