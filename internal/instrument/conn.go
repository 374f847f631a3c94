package instrument

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
	user   atomic.Pointer[Journal] // of the operation that uses it, or did so last
	set    *Connections
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

// Connections is every open connection of one transport, and every dial.
type Connections struct {
	Shared bool // by several callers

	mu      sync.Mutex
	open    map[*conn]bool
	dialing int
	dials   context.Context // ends the dials under way
	giveUp  context.CancelFunc
	closed  bool
}

// NewConnections returns an empty set, open for dials.
func NewConnections() *Connections {
	s := &Connections{open: map[*conn]bool{}}
	s.dials, s.giveUp = context.WithCancel(context.Background())
	return s
}

func (s *Connections) add(c *conn) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.closed {
		return false
	}
	s.open[c] = true
	return true
}

func (s *Connections) remove(c *conn) {
	s.mu.Lock()
	defer s.mu.Unlock()
	delete(s.open, c)
}

// Count is how many connections are open, and how many dials under way.
func (s *Connections) Count() (open, dialing int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return len(s.open), s.dialing
}

// CloseAll closes what is open and whatever is still being dialled, for good.
func (s *Connections) CloseAll() {
	s.mu.Lock()
	s.closed = true
	giveUp := s.giveUp
	s.mu.Unlock()
	giveUp()
	s.closeEach(func(*conn) bool { return true })
}

// Reopen lets dials begin again, for a probe of what closeAll has left.
func (s *Connections) Reopen() {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.closed {
		s.closed = false
		s.dials, s.giveUp = context.WithCancel(context.Background())
	}
}

// CloseOf closes the connections of an operation that has to end now. Callers
// that share them lose only those that it uses.
func (s *Connections) CloseOf(j *Journal) {
	if s.Shared {
		s.closeEach(func(c *conn) bool { return c.user.Load() == j })
		return
	}
	s.CloseAll()
}

func (s *Connections) closeEach(which func(*conn) bool) {
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
func (s *Connections) dialBegins(ctx context.Context) (within context.Context, over func()) {
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

// Dial opens a connection, as net.Dialer.DialContext does.
type Dial func(ctx context.Context, network, addr string) (net.Conn, error)

// Dialer applies sock_connect_ms, the limit of one dial.
func (s *Connections) Dialer(dial Dial) Dial {
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

func dialWithin(ctx context.Context, dial Dial, network, addr string) (net.Conn, error) {
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
