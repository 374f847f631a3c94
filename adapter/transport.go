package adapter

import (
	"context"
	"errors"
	"io"
	"net"
	"net/http"
	"strconv"
	"time"
)

// attemptHeader tells labserver which attempt a request belongs to.
const attemptHeader = "Deadlinelab-Attempt"

// NewTransport wraps base, so that each request in a call's context is reported
// as an attempt of that call: its head, its body, its end. Redirects belong to
// the attempt that met them. It changes nothing else, and nothing at all
// outside a call.
func NewTransport(base http.RoundTripper) http.RoundTripper { return &transport{base: base} }

type transport struct{ base http.RoundTripper }

// CloseIdleConnections is found by http.Client's method of that name.
func (t *transport) CloseIdleConnections() {
	if c, ok := t.base.(interface{ CloseIdleConnections() }); ok {
		c.CloseIdleConnections()
	}
}

func (t *transport) RoundTrip(req *http.Request) (*http.Response, error) {
	s := FromContext(req.Context())
	if s == nil {
		return t.base.RoundTrip(req)
	}
	a := s.attemptOf(req)
	out := req.Clone(req.Context())
	out.Header.Set(attemptHeader, strconv.Itoa(a.n))
	resp, err := t.base.RoundTrip(out)
	if err != nil {
		a.broke(req, err)
		return nil, err
	}
	resp.Request = req
	a.HeadersReceived(resp.StatusCode)
	resp.Body = &body{ReadCloser: resp.Body, attempt: a, request: req, redirect: isRedirect(resp)}
	return resp, nil
}

// attemptOf is the running attempt for a redirect, else the next one.
func (s *Session) attemptOf(req *http.Request) *Attempt {
	if req.Response != nil {
		if a := s.followed(); a != nil {
			return a
		}
	}
	return s.StartAttempt()
}

// followed is the newest attempt if it has met a redirect.
func (s *Session) followed() *Attempt {
	s.mu.Lock()
	defer s.mu.Unlock()
	if n := len(s.attempts); n > 0 && s.attempts[n-1].between {
		s.attempts[n-1].between = false
		return s.attempts[n-1]
	}
	return nil
}

func isRedirect(resp *http.Response) bool {
	return resp.StatusCode >= 300 && resp.StatusCode < 400 && resp.Header.Get("Location") != ""
}

// broke ends the attempt by what ended its request.
func (a *Attempt) broke(req *http.Request, err error) {
	ctx := req.Context()
	var limit *LimitError
	switch {
	case errors.As(err, &limit) || errors.As(context.Cause(ctx), &limit):
		a.TimedOut(limit.Limit, err)
	case stopCause(ctx) != nil:
		a.observed(ctx)
		a.Cancelled(err)
	case expired(ctx):
		awaitTimer(req)
		a.TimedOut("total_ms", err)
	case ctx.Err() != nil:
		a.Cancelled(err)
	case timedOut(err):
		a.TimedOut(limitOf(err), err)
	default:
		a.Failed(err)
	}
}

// expired tells whether the deadline of ctx has passed, delivered or not.
func expired(ctx context.Context) bool {
	at, ok := ctx.Deadline()
	return ok && !time.Now().Before(at)
}

// awaitTimer lets http.Client.Timeout speak first. Above a wrapped transport
// that client has two timers for the same instant, the request's context and
// one of its own that closes Cancel; only the latter lets it say that it was
// its timeout.
func awaitTimer(req *http.Request) {
	//lint:ignore SA1019 http.Client sets it
	cancel := req.Cancel
	if cancel == nil {
		return
	}
	patience := time.NewTimer(time.Millisecond)
	defer patience.Stop()
	select {
	case <-cancel:
	case <-patience.C:
	}
}

// limitOf names the limit behind a timeout of net/http or net, if it has a name.
func limitOf(err error) string {
	var op *net.OpError
	if errors.As(err, &op) && op.Op == "dial" {
		return "sock_connect_ms"
	}
	return ""
}

// body reports how a response body ends.
type body struct {
	io.ReadCloser
	attempt  *Attempt
	request  *http.Request
	redirect bool
	bytes    int64
}

func (b *body) Read(p []byte) (int, error) {
	n, err := b.ReadCloser.Read(p)
	b.bytes += int64(n)
	switch {
	case err == nil || b.redirect:
	case err == io.EOF:
		b.attempt.BodyFinished(b.bytes)
	default:
		b.attempt.broke(b.request, err)
	}
	return n, err
}

// Close ends the attempt, unless a redirect may still follow.
func (b *body) Close() error {
	err := b.ReadCloser.Close()
	if b.redirect {
		b.attempt.locked(func() { b.attempt.between = true })
	} else {
		b.attempt.Finished(0)
	}
	return err
}
