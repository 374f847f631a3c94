package runner

import (
	"context"
	"errors"
	"net"
	"sync"
	"sync/atomic"

	"github.com/deadlinelab/deadlinelab/internal/variants"
)

// conn is a connection of a client under test. It tells the attempt that uses
// it when bytes arrive: per read, which net/http does not report.
type conn struct {
	net.Conn
	reader atomic.Pointer[limiter]
	user   atomic.Pointer[journal] // of the operation that uses it, or did so last
	set    *connSet
}

func (c *conn) Read(p []byte) (int, error) {
	n, err := c.Conn.Read(p)
	if n > 0 {
		if l := c.reader.Load(); l != nil {
			l.arrived()
		}
	}
	return n, err
}

func (c *conn) Close() error {
	c.set.remove(c)
	return c.Conn.Close()
}

// plainConn finds the connection below TLS.
func plainConn(c net.Conn) *conn {
	if below, ok := c.(interface{ NetConn() net.Conn }); ok {
		c = below.NetConn()
	}
	plain, _ := c.(*conn)
	return plain
}

// connSet is every open connection of one transport, and every dial.
type connSet struct {
	shared bool // by several callers

	mu      sync.Mutex
	open    map[*conn]bool
	dialing int
	dials   context.Context // ends the dials under way
	giveUp  context.CancelFunc
	closed  bool
}

func newConnSet() *connSet {
	s := &connSet{open: map[*conn]bool{}}
	s.dials, s.giveUp = context.WithCancel(context.Background())
	return s
}

func (s *connSet) add(c *conn) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.closed {
		return false
	}
	s.open[c] = true
	return true
}

func (s *connSet) remove(c *conn) {
	s.mu.Lock()
	defer s.mu.Unlock()
	delete(s.open, c)
}

// count is how many connections are open, and how many dials under way.
func (s *connSet) count() (open, dialing int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return len(s.open), s.dialing
}

// closeAll closes what is open and whatever is still being dialled, for good.
func (s *connSet) closeAll() {
	s.mu.Lock()
	s.closed = true
	giveUp := s.giveUp
	s.mu.Unlock()
	giveUp()
	s.closeEach(func(*conn) bool { return true })
}

// reopen lets dials begin again, for a probe of what closeAll has left.
func (s *connSet) reopen() {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.closed {
		s.closed = false
		s.dials, s.giveUp = context.WithCancel(context.Background())
	}
}

// closeOf closes the connections of an operation that has to end now. Callers
// that share them lose only those that it uses.
func (s *connSet) closeOf(j *journal) {
	if s.shared {
		s.closeEach(func(c *conn) bool { return c.user.Load() == j })
		return
	}
	s.closeAll()
}

func (s *connSet) closeEach(which func(*conn) bool) {
	s.mu.Lock()
	var list []*conn
	for c := range s.open {
		if which(c) {
			list = append(list, c)
			delete(s.open, c)
		}
	}
	s.mu.Unlock()
	for _, c := range list {
		c.Conn.Close()
	}
}

// dialBegins counts a dial until over is called; its context ends with the set's.
func (s *connSet) dialBegins(ctx context.Context) (within context.Context, over func()) {
	s.mu.Lock()
	s.dialing++
	dials := s.dials
	s.mu.Unlock()
	within, cancel := context.WithCancel(ctx)
	forget := context.AfterFunc(dials, cancel)
	return within, func() {
		forget()
		cancel()
		s.mu.Lock()
		s.dialing--
		s.mu.Unlock()
	}
}

type dialFunc func(ctx context.Context, network, addr string) (net.Conn, error)

// dialer applies sock_connect_ms, the limit of one dial.
func (s *connSet) dialer(dial dialFunc) dialFunc {
	return func(ctx context.Context, network, addr string) (net.Conn, error) {
		ctx, over := s.dialBegins(ctx)
		defer over()
		plain, err := dialWithin(ctx, dial, network, addr)
		if err != nil {
			return nil, err
		}
		c := &conn{Conn: plain, set: s}
		if !s.add(c) {
			plain.Close()
			return nil, net.ErrClosed
		}
		return c, nil
	}
}

func dialWithin(ctx context.Context, dial dialFunc, network, addr string) (net.Conn, error) {
	limit := variants.LimitsFrom(ctx).SockConnect
	if limit <= 0 {
		return dial(ctx, network, addr)
	}
	cause := &variants.LimitError{Limit: "sock_connect_ms", After: limit}
	within, cancel := context.WithTimeoutCause(ctx, limit, cause)
	defer cancel()
	c, err := dial(within, network, addr)
	if err != nil && errors.Is(context.Cause(within), cause) {
		return nil, cause
	}
	return c, err
}
