package runner

import (
	"context"
	"net"
	"runtime/pprof"
	"testing"
	"time"

	"github.com/deadlinelab/deadlinelab/internal/eventlog"
	"github.com/deadlinelab/deadlinelab/internal/instrument"
	"github.com/deadlinelab/deadlinelab/internal/scenario"
)

// Goroutines that a call starts carry its label, those of another run do not.
func TestGoroutinesOfACall(t *testing.T) {
	r, other := &run{}, &run{}
	stop, ready := make(chan struct{}), make(chan struct{})
	pprof.Do(t.Context(), r.labels("item"), func(context.Context) {
		go func() {
			go func() { ready <- struct{}{}; <-stop }()
			ready <- struct{}{}
			<-stop
		}()
	})
	<-ready
	<-ready
	count := instrument.NewGoroutines().At(time.Now())
	close(stop)
	if count[r.label("item")] != 2 || count[other.label("item")] != 0 {
		t.Errorf("%v", count)
	}
}

// What callers share is counted once; a slot that nobody gave back is one.
func TestHolds(t *testing.T) {
	dial := func(context.Context, string, string) (net.Conn, error) { c, _ := net.Pipe(); return c, nil }
	s := &scenario.Scenario{Slots: 3, Callers: &scenario.Callers{Count: 4, Share: []string{scenario.ShareTransport, scenario.ShareSlots}}}
	u := used{clients: newClients(s, nil, dial)}
	if !u.clean() {
		t.Errorf("%+v", u.holds())
	}
	u.clients[0].slots <- struct{}{}
	u.clients[3].slots <- struct{}{}
	c, err := u.clients[1].transport.DialContext(t.Context(), "tcp", "x")
	if err != nil {
		t.Fatal(err)
	}
	if got := u.holds(); got != (eventlog.Leaks{Connections: 1, Slots: 2}) || u.clean() {
		t.Errorf("%+v", got)
	}
	c.Close()
	s.Callers.Share = nil
	u = used{clients: newClients(s, nil, dial)}
	for _, c := range u.clients {
		c.slots <- struct{}{}
	}
	if got := u.holds(); got != (eventlog.Leaks{Slots: 4}) {
		t.Errorf("%+v", got)
	}
}
