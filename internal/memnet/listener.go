package memnet

import (
	"context"
	"net"
	"net/netip"
	"sync"
)

// Backlog is how many connections a listener holds for Accept unless it is told
// otherwise; further dials wait.
const Backlog = 4096

type listener struct {
	net *Net
	at  netip.AddrPort

	mu      sync.Mutex
	backlog int
	queue   []*Conn
	closed  bool
	arrived signal // also when closed
	left    signal // room in the queue, or closed
}

// Accept waits for the next connection; net.ErrClosed after Close.
func (l *listener) Accept() (net.Conn, error) {
	for {
		c, arrived, err := l.dequeue()
		if arrived == nil {
			if err != nil {
				return nil, err
			}
			return c, nil
		}
		<-arrived
	}
}

func (l *listener) dequeue() (*Conn, <-chan struct{}, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.closed {
		return nil, nil, &net.OpError{Op: "accept", Net: "tcp", Addr: l.Addr(), Err: net.ErrClosed}
	}
	if len(l.queue) == 0 {
		return nil, l.arrived.next(), nil
	}
	c := l.queue[0]
	l.queue[0] = nil
	l.queue = l.queue[1:]
	l.left.announce()
	return c, nil, nil
}

// enqueue hands a new connection to Accept.
func (l *listener) enqueue(ctx context.Context, c *Conn) error {
	for {
		left, err := l.push(c)
		if left == nil {
			return err
		}
		select {
		case <-left:
		case <-ctx.Done():
			return ctx.Err()
		}
	}
}

func (l *listener) push(c *Conn) (<-chan struct{}, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.closed {
		return nil, refused
	}
	if len(l.queue) >= l.backlog {
		return l.left.next(), nil
	}
	l.queue = append(l.queue, c)
	l.arrived.announce()
	return nil, nil
}

// SetBacklog makes the queue that long from now on; with 0 every dial waits.
func (l *listener) SetBacklog(n int) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.backlog = n
	l.left.announce()
}

// Close resets the connections that nobody accepted, as a kernel does.
func (l *listener) Close() error {
	l.net.remove(l.at)
	for _, c := range l.shut() {
		_ = c.SetLinger(0)
		_ = c.Close()
	}
	return nil
}

func (l *listener) shut() (waiting []*Conn) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.closed = true
	l.arrived.announce()
	l.left.announce()
	waiting, l.queue = l.queue, nil
	return waiting
}

func (l *listener) Addr() net.Addr { return tcpAddr(l.at) }
