package memnet

import (
	"context"
	"net"
	"net/netip"
	"sync"
	"time"
)

// Backlog is how many connections a listener holds for Accept unless it is told
// otherwise; further dials try again later.
const Backlog = 4096

type listener struct {
	net *Net
	at  netip.AddrPort

	mu      sync.Mutex
	backlog int
	queue   []*Conn
	closed  bool
	arrived signal // also when closed
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
	return c, nil, nil
}

// firstRetry is after which a dial that met a full queue tries again; each
// further wait is twice as long, as Linux has it.
const firstRetry = time.Second

// enqueue hands a new connection to Accept.
func (l *listener) enqueue(ctx context.Context, c *Conn) error {
	next := time.Now()
	for wait := firstRetry; ; wait *= 2 {
		full, err := l.push(c)
		if !full {
			return err
		}
		next = next.Add(wait)
		if err := sleepUntil(ctx, next); err != nil {
			return err
		}
	}
}

func sleepUntil(ctx context.Context, at time.Time) error {
	timer := time.NewTimer(time.Until(at))
	defer timer.Stop()
	select {
	case <-timer.C:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

func (l *listener) push(c *Conn) (full bool, err error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.closed {
		return false, refused
	}
	if len(l.queue) >= l.backlog {
		return true, nil
	}
	l.queue = append(l.queue, c)
	l.arrived.announce()
	return false, nil
}

// SetBacklog makes the queue that long from now on; with 0 every dial waits.
func (l *listener) SetBacklog(n int) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.backlog = n
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
	waiting, l.queue = l.queue, nil
	return waiting
}

func (l *listener) Addr() net.Addr { return tcpAddr(l.at) }
