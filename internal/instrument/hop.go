package instrument

import (
	"context"
	"crypto/tls"
	"io"
	"net/http"
	"net/http/httptrace"
	"sync"

	"github.com/deadlinelab/deadlinelab/internal/eventlog"
	"github.com/deadlinelab/deadlinelab/internal/httperror"
)

// hop is one exchange of an attempt as the client sees it; an attempt without
// redirects has one.
type hop struct {
	attempt *attempt
	ctx     context.Context
	limiter *limiter
	done    func() // frees what the hop holds
	conn    *conn

	mu    sync.Mutex
	wrote bool // on the connection it has now: net/http may take another one
}

// traced is the hop's context with the hooks that record its phases. Dials are
// recorded even after the attempt has ended: they live on by themselves.
func (h *hop) traced() context.Context {
	dial := func(k eventlog.Kind) { h.attempt.journal.Add(eventlog.Event{Kind: k, Attempt: h.attempt.n}) }
	return httptrace.WithClientTrace(h.ctx, &httptrace.ClientTrace{
		GetConn:           func(string) { h.waiting() },
		GotConn:           h.connected,
		DNSStart:          func(httptrace.DNSStartInfo) { dial(eventlog.DNSStarted) },
		DNSDone:           func(i httptrace.DNSDoneInfo) { h.dialled(eventlog.DNSFinished, i.Err) },
		ConnectStart:      func(_, _ string) { dial(eventlog.ConnectStarted) },
		ConnectDone:       func(_, _ string, err error) { h.dialled(eventlog.ConnectFinished, err) },
		TLSHandshakeStart: func() { dial(eventlog.TLSStarted) },
		TLSHandshakeDone:  func(_ tls.ConnectionState, err error) { h.dialled(eventlog.TLSFinished, err) },
		WroteRequest: func(i httptrace.WroteRequestInfo) {
			if i.Err == nil {
				h.written()
			}
		},
	})
}

func (h *hop) dialled(k eventlog.Kind, err error) {
	e := eventlog.Event{Kind: k, Attempt: h.attempt.n}
	if err != nil {
		e.ErrorType, e.Error = httperror.Innermost(err), err.Error()
	}
	h.attempt.journal.Add(e)
}

func (h *hop) waiting() {
	h.mu.Lock()
	h.wrote = false
	h.mu.Unlock()
	h.attempt.afterRedirect(false)
	h.limiter.connecting()
	h.attempt.add(eventlog.Event{Kind: eventlog.ConnectionWaitStarted})
}

func (h *hop) connected(i httptrace.GotConnInfo) {
	h.limiter.connected()
	if h.conn = plainConn(i.Conn); h.conn != nil {
		h.conn.reader.Store(h.limiter)
		h.conn.user.Store(h.attempt.journal)
	}
	h.attempt.add(eventlog.Event{Kind: eventlog.ConnectionAcquired, Reused: i.Reused, Conn: i.Conn.LocalAddr().String()})
}

// written is called by the writing goroutine, or by the answer if that is
// first: a response without a request would make no sense to a reader.
func (h *hop) written() {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.wrote {
		return
	}
	h.wrote = true
	h.limiter.reading()
	h.attempt.add(eventlog.Event{Kind: eventlog.RequestWritten})
}

func (h *hop) answered(resp *http.Response) {
	h.written()
	h.attempt.answered(resp.StatusCode)
}

// fail ends hop and attempt.
func (h *hop) fail(err error) error {
	h.release()
	told := h.attempt.fail(h.ctx, err)
	h.done()
	return told
}

func (h *hop) release() {
	h.limiter.over()
	if h.conn != nil {
		h.conn.reader.CompareAndSwap(h.limiter, nil)
	}
}

// body is a response body that notes how it ends.
type body struct {
	io.ReadCloser
	hop      *hop
	redirect bool
	bytes    int64
	err      error // what Read has returned for good
	closed   bool
}

func (b *body) Read(p []byte) (int, error) {
	if b.err != nil {
		return 0, b.err
	}
	n, err := b.ReadCloser.Read(p)
	b.bytes += int64(n)
	switch {
	case err == io.EOF:
		b.err = err
		b.hop.release()
		if !b.redirect {
			b.hop.attempt.add(eventlog.Event{Kind: eventlog.BodyFinished, Bytes: b.bytes})
		}
	case err != nil:
		b.err = b.hop.fail(err)
	}
	return n, b.err
}

// Close ends the attempt, unless a redirect may still follow.
func (b *body) Close() error {
	err := b.ReadCloser.Close()
	if b.closed {
		return err
	}
	b.closed = true
	b.hop.release()
	if b.redirect {
		b.hop.attempt.afterRedirect(true)
	} else {
		b.hop.attempt.end(eventlog.Event{Kind: eventlog.AttemptFinished})
	}
	b.hop.done()
	return err
}
