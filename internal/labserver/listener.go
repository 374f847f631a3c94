package labserver

import (
	"fmt"
	"net"
	"sync"
	"sync/atomic"
	"time"

	"github.com/deadlinelab/deadlinelab/internal/eventlog"
)

const maxHeaderBytes = 1 << 20

// limit counts the data connections of the whole server.
type limit struct {
	most int64
	open atomic.Int64
}

func (l *limit) enter() bool {
	if l.open.Add(1) <= l.most {
		return true
	}
	l.open.Add(-1)
	return false
}

func (l *limit) leave() { l.open.Add(-1) }

// listener wraps what it accepts in a conn and keeps to the limit.
type listener struct {
	net.Listener
	x     *experiment
	limit *limit
}

func (l *listener) Accept() (net.Conn, error) {
	for {
		raw, err := l.Listener.Accept()
		if err != nil {
			return nil, err
		}
		if c := l.admit(raw); c != nil {
			return c, nil
		}
	}
}

// admit is nil for a connection above the limit, or after the experiment's end.
func (l *listener) admit(raw net.Conn) net.Conn {
	peer := raw.RemoteAddr().String()
	if !l.limit.enter() {
		l.turnAway(raw, peer)
		return nil
	}
	c := &conn{Conn: raw, x: l.x, peer: peer, limit: l.limit, left: make(chan struct{})}
	if !l.x.connections.add(c) {
		l.limit.leave()
		raw.Close()
		return nil
	}
	l.x.record(eventlog.Event{Kind: eventlog.ConnectionAccepted, Conn: peer})
	return c
}

// turnAway says why, for people, and leaves an unscripted event, for the bench.
func (l *listener) turnAway(raw net.Conn, peer string) {
	why := fmt.Sprintf("labserver is at its limit of %d connections; raise the open-files limit (ulimit -n)", l.limit.most)
	l.x.record(eventlog.Event{Kind: eventlog.Unscripted, Conn: peer, Status: 503, Error: why})
	raw.SetWriteDeadline(time.Now().Add(time.Second))
	fmt.Fprintf(raw, "HTTP/1.1 503 Service Unavailable\r\nConnection: close\r\nContent-Type: text/plain\r\nContent-Length: %d\r\n\r\n%s\n", len(why)+1, why)
	raw.Close()
}

// connections are the open ones of an experiment.
type connections struct {
	mu    sync.Mutex
	open  map[*conn]bool
	ended bool
}

func (cs *connections) add(c *conn) bool {
	cs.mu.Lock()
	defer cs.mu.Unlock()
	if cs.ended {
		return false
	}
	cs.open[c] = true
	return true
}

func (cs *connections) remove(c *conn) {
	cs.mu.Lock()
	defer cs.mu.Unlock()
	delete(cs.open, c)
}

// closeAll closes every connection and lets no more in.
func (cs *connections) closeAll() {
	cs.mu.Lock()
	cs.ended = true
	list := make([]*conn, 0, len(cs.open))
	for c := range cs.open {
		list = append(list, c)
	}
	cs.mu.Unlock()
	for _, c := range list {
		c.Close()
	}
}
