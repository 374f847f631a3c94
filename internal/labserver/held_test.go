package labserver

import (
	"io"
	"testing"
	"testing/synctest"
	"time"

	"github.com/deadlinelab/deadlinelab/internal/eventlog"
	"github.com/deadlinelab/deadlinelab/internal/memnet"
)

// What the client does not read makes no fault late: neither the write that
// waits for it nor those that were due meanwhile.
func TestSlowReaderMakesNoFaultLate(t *testing.T) {
	for fault, later := range map[string]time.Duration{
		"{type: endless_body, bytes: 65536, interval_ms: 10, for_ms: 1000}": time.Second,
		"{type: body_stall, after_bytes: 262144}":                           20 * time.Millisecond,
		"{type: body_trickle, bytes: 40000, total: 400000, interval_ms: 5}": 500 * time.Millisecond,
		"{type: reset_in_body, content_length: 300000, bytes: 262144}":      20 * time.Millisecond,
	} {
		t.Run(fault, func(t *testing.T) {
			inLab(t, Config{}, func(l *lab) {
				ops := l.experiment(fault, op("op-1"))
				c := must(l.net.DialContext(l.Context(), "tcp", ops[0].BaseURL[len("http://"):len(ops[0].BaseURL)-len("/op/op-1/")]))(l)
				must(io.WriteString(c, getRequest))(l)
				c.SetReadDeadline(time.Now().Add(4 * time.Second))
				for range 200 {
					time.Sleep(20 * time.Millisecond)
					c.Read(make([]byte, 4096))
				}
				c.Close()
				fired, most := firedOf(l.log())
				if len(fired) == 0 || most < later {
					l.Fatalf("%d fired, the last %v after it was due: the client held nothing up", len(fired), most)
				}
				for _, e := range fired {
					if e.LateMs != 0 {
						l.Errorf("due %d, fired %d: %v ms late", e.DueNs, e.TNs, e.LateMs)
					}
				}
			})
		})
	}
}

// firedOf are the fires, and how long after its due time the last one was over.
func firedOf(events []eventlog.Event) (list []eventlog.Event, most time.Duration) {
	for _, e := range events {
		if e.Kind == eventlog.FaultFired {
			list, most = append(list, e), max(most, time.Duration(e.TNs-e.DueNs))
		}
	}
	return list, most
}

// The server's own lateness stays, whatever the client holds up besides.
func TestOwnLatenessStays(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c, due := heldConn(t), time.Now()
		time.Sleep(20 * time.Millisecond) // the server's
		p := c.push()
		stays := func(want time.Duration) {
			t.Helper()
			if got := c.late(due, p); got != want {
				t.Errorf("%v late, want %v", got, want)
			}
		}
		stays(20 * time.Millisecond)
		c.write(make([]byte, memnet.BufferSize+1))
		stays(20 * time.Millisecond)
		time.Sleep(3 * time.Millisecond) // the server's, after the client let it go
		p = c.push()
		stays(3 * time.Millisecond)
		c.write([]byte("more"))
		stays(3 * time.Millisecond)
	})
}

// heldConn is a connection whose other end begins to read after a second.
func heldConn(t *testing.T) *conn {
	n := memnet.New()
	l, err := n.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	go func() {
		peer, _ := n.DialContext(t.Context(), "tcp", l.Addr().String())
		time.Sleep(time.Second)
		for range 3 {
			peer.Read(make([]byte, 10))
		}
	}()
	raw, err := l.Accept()
	if err != nil {
		t.Fatal(err)
	}
	return &conn{Conn: raw}
}

// On a real socket the kernel says what it still holds, and for how long it had
// nowhere to put it.
func TestSlowReaderOnLoopback(t *testing.T) {
	l, addr := onLoopback(t, "{type: endless_body, bytes: 1048576, interval_ms: 1, for_ms: 24}")
	c := l.dial(addr, getRequest)
	l.await(eventlog.ServerHeadersWritten)
	time.Sleep(300 * time.Millisecond) // the client reads nothing
	io.Copy(io.Discard, c)
	c.Close()
	l.await(eventlog.ServerHandlerFinished)
	fired, most := firedOf(l.page())
	if most < 200*time.Millisecond {
		t.Fatalf("the last of %d fired %v after it was due: the client held nothing up", len(fired), most)
	}
	for _, e := range fired {
		if e.LateMs > 100 {
			t.Errorf("due %d, fired %d: %v ms late", e.DueNs, e.TNs, e.LateMs)
		}
	}
}
