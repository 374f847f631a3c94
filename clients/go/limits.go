package main

import (
	"context"
	"errors"
	"io"
	"net"
	"net/http"
	"net/http/httptrace"
	"sync"
	"sync/atomic"
	"time"

	"github.com/deadlinelab/deadlinelab/adapter"
)

// limited applies to each request the limits that net/http has no timer for:
// connect_ms, from the request to a usable connection with the pool's queue
// included, and sock_read_ms, silence between two reads once the request is
// written. Each ends the request with its own cause.
type limited struct {
	base   *http.Transport
	limits adapter.Limits
}

func (t *limited) CloseIdleConnections() { t.base.CloseIdleConnections() }

func (t *limited) RoundTrip(req *http.Request) (*http.Response, error) {
	ctx, cancel := context.WithCancelCause(req.Context())
	l := &limiter{cancel: cancel, limits: t.limits}
	resp, err := t.base.RoundTrip(req.Clone(l.traced(ctx)))
	if err != nil {
		l.over()
		return nil, told(ctx, err)
	}
	l.written()
	resp.Body = &limitedBody{ReadCloser: resp.Body, ctx: ctx, limiter: l}
	return resp, nil
}

// told is the limit that ended ctx, if one did.
func told(ctx context.Context, err error) error {
	var limit *adapter.LimitError
	if errors.As(context.Cause(ctx), &limit) {
		return limit
	}
	return err
}

// limiter is the timers of one request.
type limiter struct {
	cancel context.CancelCauseFunc
	limits adapter.Limits
	conn   *watchedConn

	mu      sync.Mutex
	connect *time.Timer
	read    *time.Timer
	wrote   bool
	ended   bool
}

func (l *limiter) traced(ctx context.Context) context.Context {
	return httptrace.WithClientTrace(ctx, &httptrace.ClientTrace{
		GetConn: func(string) { l.connecting() },
		GotConn: l.connected,
		WroteRequest: func(i httptrace.WroteRequestInfo) {
			if i.Err == nil {
				l.written()
			}
		},
	})
}

// connecting may come twice: net/http takes another connection when the one it had is dead.
func (l *limiter) connecting() {
	l.mu.Lock()
	defer l.mu.Unlock()
	disarm(&l.connect)
	disarm(&l.read)
	l.wrote = false
	l.connect = l.arm("connect_ms", l.limits.ConnectMs)
}

func (l *limiter) connected(i httptrace.GotConnInfo) {
	l.mu.Lock()
	defer l.mu.Unlock()
	disarm(&l.connect)
	if c, ok := i.Conn.(*watchedConn); ok && !l.ended {
		l.conn = c
		c.reader.Store(l)
	}
}

// written is told by the writing goroutine, or by the answer if that is first.
func (l *limiter) written() {
	l.mu.Lock()
	defer l.mu.Unlock()
	if !l.wrote {
		l.wrote = true
		l.read = l.arm("sock_read_ms", l.limits.SockReadMs)
	}
}

func (l *limiter) arrived() {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.read != nil {
		l.read.Reset(adapter.Ms(*l.limits.SockReadMs))
	}
}

// over ends the timers, and what they would have ended.
func (l *limiter) over() {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.ended = true
	disarm(&l.connect)
	disarm(&l.read)
	if l.conn != nil {
		l.conn.reader.CompareAndSwap(l, nil)
	}
}

// arm needs mu.
func (l *limiter) arm(name string, ms *float64) *time.Timer {
	if ms == nil || l.ended {
		return nil
	}
	return time.AfterFunc(adapter.Ms(*ms), func() { l.cancel(&adapter.LimitError{Limit: name}) })
}

func disarm(t **time.Timer) {
	if *t != nil {
		(*t).Stop()
		*t = nil
	}
}

type limitedBody struct {
	io.ReadCloser
	ctx     context.Context
	limiter *limiter
}

func (b *limitedBody) Read(p []byte) (int, error) {
	n, err := b.ReadCloser.Read(p)
	if err != nil {
		b.limiter.over()
	}
	if err != nil && err != io.EOF {
		err = told(b.ctx, err)
	}
	return n, err
}

func (b *limitedBody) Close() error {
	b.limiter.over()
	err := b.ReadCloser.Close()
	b.limiter.cancel(nil)
	return err
}

// watchedConn tells the request that uses it when bytes arrive: per read,
// which net/http does not report.
type watchedConn struct {
	net.Conn
	reader atomic.Pointer[limiter]
}

func (c *watchedConn) Read(p []byte) (int, error) {
	n, err := c.Conn.Read(p)
	if l := c.reader.Load(); n > 0 && l != nil {
		l.arrived()
	}
	return n, err
}

// dialWithin is a dial under sock_connect_ms, with its own cause.
func dialWithin(ms *float64) func(ctx context.Context, network, addr string) (net.Conn, error) {
	return func(ctx context.Context, network, addr string) (net.Conn, error) {
		limit := &adapter.LimitError{Limit: "sock_connect_ms"}
		if ms != nil {
			var cancel context.CancelFunc
			ctx, cancel = context.WithTimeoutCause(ctx, adapter.Ms(*ms), limit)
			defer cancel()
		}
		c, err := new(net.Dialer).DialContext(ctx, network, addr)
		if err == nil {
			return &watchedConn{Conn: c}, nil
		}
		if context.Cause(ctx) == limit {
			return nil, limit
		}
		return nil, err
	}
}
