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

// connSet is every open connection of one client.
type connSet struct {
	mu     sync.Mutex
	open   map[*conn]bool
	closed bool
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

// closeAll closes what is open and whatever is still being dialled.
func (s *connSet) closeAll() {
	s.mu.Lock()
	open := s.open
	s.open, s.closed = map[*conn]bool{}, true
	s.mu.Unlock()
	for c := range open {
		c.Conn.Close()
	}
}

type dialFunc func(ctx context.Context, network, addr string) (net.Conn, error)

// dialer applies sock_connect_ms, the limit of one dial.
func (s *connSet) dialer(dial dialFunc) dialFunc {
	return func(ctx context.Context, network, addr string) (net.Conn, error) {
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
