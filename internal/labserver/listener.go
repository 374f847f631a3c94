package labserver

import (
	"fmt"
	"net"
	"sync"
	"sync/atomic"
	"time"

	"github.com/deadlinelab/deadlinelab/internal/eventlog"
	"github.com/deadlinelab/deadlinelab/internal/fault"
	"github.com/deadlinelab/deadlinelab/internal/socket"
)

const maxHeaderBytes = 1 << 20

const (
	// toldWhy is how many connections above the limit are served, for one
	// error each; further ones are closed at once.
	toldWhy = 64
	// toldWithin is how long such a connection may take to send its request.
	toldWithin = time.Second
)

// limit counts the data connections of the whole server.
type limit struct {
	most int64
	open atomic.Int64
}

// enter counts one more; over tells how many there are too many.
func (l *limit) enter() (over int64) { return l.open.Add(1) - l.most }

// acquire counts n more unless that is too many.
func (l *limit) acquire(n int64) bool {
	if l.open.Add(n) <= l.most {
		return true
	}
	l.open.Add(-n)
	return false
}

func (l *limit) leave() { l.open.Add(-1) }

func (l *limit) why() string {
	return fmt.Sprintf("labserver is at its limit of %d connections", l.most)
}

// listener wraps what it accepts in a conn and keeps to the limit.
type listener struct {
	net.Listener
	x     *experiment
	limit *limit
	op    string // the only operation whose connections arrive here; empty = any
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

// admit is nil for a connection that is closed already: far above the limit,
// or after the experiment's end.
func (l *listener) admit(raw net.Conn) net.Conn {
	over := l.limit.enter()
	c := &conn{Conn: raw, x: l.x, peer: raw.RemoteAddr().String(), limit: l.limit, over: over > 0, left: make(chan struct{})}
	if over > toldWhy {
		l.x.record(eventlog.Event{Kind: eventlog.Unscripted, Conn: c.peer, Error: l.limit.why()})
	}
	if over > toldWhy || !l.x.connections.add(c) {
		l.limit.leave()
		raw.Close()
		return nil
	}
	if c.over {
		raw.SetReadDeadline(time.Now().Add(toldWithin))
	}
	l.x.shrink(raw)
	l.x.record(eventlog.Event{Kind: eventlog.ConnectionAccepted, Op: l.op, Conn: c.peer})
	return c
}

// shrinkAll gives the connections that l will accept the receive buffer that the
// scenario's fault asks for, or any step of it: before the first of them exists,
// or its client has been told of more room than there is. What it sends into that
// is thrown away, and sent again 200 ms later.
func (x *experiment) shrinkAll(l net.Listener) {
	if size := fault.ReceiveBufferOf(x.scenario.Fault); size > 0 {
		socket.ReceiveBuffer(l, size)
	}
}

// shrink does so for one connection, where no listener can.
func (x *experiment) shrink(raw net.Conn) {
	size := fault.ReceiveBufferOf(x.scenario.Fault)
	if c, ok := raw.(interface{ SetReadBuffer(bytes int) error }); ok && size > 0 {
		c.SetReadBuffer(size)
	}
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
	cs.mu.Unlock()
	cs.each(func(c *conn) { c.Close() })
}
