package runner

import (
	"context"
	"net"
	"net/http"
	"strconv"
	"sync"
	"time"

	"github.com/deadlinelab/deadlinelab/internal/eventlog"
	"github.com/deadlinelab/deadlinelab/internal/variants"
)

// attemptHeader tells labserver which attempt a request belongs to.
const attemptHeader = "Deadlinelab-Attempt"

// transport is the http.RoundTripper of one operation: it records what each
// attempt does and applies the limits that net/http lacks.
type transport struct {
	journal  *journal
	stop     *stop
	base     http.RoundTripper
	deadline time.Time // t0 + budget, for remaining_ms

	mu       sync.Mutex
	refusing bool
	attempts int
	open     *attempt // the newest attempt, ended or not
}

// RoundTrip is one attempt, or one more redirect hop of it. Its error is a
// *variants.LimitError, what variants.Stopped says, or net/http's own.
func (t *transport) RoundTrip(req *http.Request) (*http.Response, error) {
	if t.refuses() {
		return nil, net.ErrClosed
	}
	release := t.stop.watch(req.Context())
	ctx, cancel := context.WithCancelCause(req.Context())
	a := t.attempt(req)
	hop := &hop{attempt: a, ctx: ctx, limiter: &limiter{limits: variants.LimitsFrom(ctx), cancel: cancel}, done: func() { cancel(nil); release() }}
	out := req.Clone(hop.traced())
	out.Header.Set(attemptHeader, strconv.Itoa(a.n))
	//lint:ignore SA1019 http.Client.Timeout sets it beside a deadline of the same instant: one of the two must not race the other
	out.Cancel = nil
	resp, err := t.base.RoundTrip(out)
	if err != nil {
		return nil, hop.fail(err)
	}
	hop.answered(resp)
	resp.Request = req
	resp.Body = &body{ReadCloser: resp.Body, hop: hop, redirect: isRedirect(resp)}
	return resp, nil
}

// attempt is the running one for a redirect hop, else the next one.
func (t *transport) attempt(req *http.Request) *attempt {
	t.mu.Lock()
	defer t.mu.Unlock()
	if req.Response != nil && t.open != nil {
		return t.open
	}
	t.finalizeOpen()
	t.attempts++
	t.open = &attempt{n: t.attempts, journal: t.journal, stop: t.stop}
	t.open.add(eventlog.Event{Kind: eventlog.AttemptStarted, RemainingMs: inMs(time.Until(t.deadline))})
	return t.open
}

// refuse lets no further request through: the operation was given up.
func (t *transport) refuse() {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.refusing = true
}

func (t *transport) refuses() bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.refusing
}

// newest is the number of the attempt that began last, 0 for none.
func (t *transport) newest() int {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.attempts
}

// finalize gives an attempt that is still open its end: a redirect that was not
// followed, or a body that nobody closed.
func (t *transport) finalize() {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.finalizeOpen()
}

func (t *transport) finalizeOpen() {
	if t.open != nil {
		t.open.finalize()
	}
}

func isRedirect(resp *http.Response) bool {
	return resp.StatusCode >= 300 && resp.StatusCode < 400 && resp.Header.Get("Location") != ""
}
