// Package instrument records what a variant does: its transport, its slots and
// its pauses write the client's events, and tell a deadline that fired.
package instrument

import (
	"context"
	"net"
	"net/http"
	"strconv"
	"sync"
	"time"

	"github.com/deadlinelab/deadlinelab/internal/clock"
	"github.com/deadlinelab/deadlinelab/internal/eventlog"
	"github.com/deadlinelab/deadlinelab/internal/variants"
)

// AttemptHeader tells labserver which attempt a request belongs to.
const AttemptHeader = "Deadlinelab-Attempt"

// Transport is the http.RoundTripper of one operation: it records what each
// attempt does and applies the limits that net/http lacks.
type Transport struct {
	Journal  *Journal
	Stop     *Stop
	Base     http.RoundTripper
	Deadline time.Time // t0 + budget, for remaining_ms

	mu       sync.Mutex
	refusing bool
	attempts int
	open     *attempt // the newest attempt, ended or not
}

// RoundTrip is one attempt, or one more redirect hop of it. Its error is a
// *variants.LimitError, what variants.Stopped says, or net/http's own.
func (t *Transport) RoundTrip(req *http.Request) (*http.Response, error) {
	if t.refuses() {
		return nil, net.ErrClosed
	}
	release := t.Stop.watch(req.Context())
	ctx, cancel := context.WithCancelCause(req.Context())
	a := t.attempt(req)
	hop := &hop{attempt: a, ctx: ctx, limiter: &limiter{limits: variants.LimitsFrom(ctx), cancel: cancel}, done: func() { cancel(nil); release() }}
	out := req.Clone(hop.traced())
	out.Header.Set(AttemptHeader, strconv.Itoa(a.n))
	//lint:ignore SA1019 http.Client.Timeout sets it beside a deadline of the same instant: one of the two must not race the other
	out.Cancel = nil
	resp, err := t.Base.RoundTrip(out)
	if err != nil {
		return nil, hop.fail(err)
	}
	hop.answered(resp)
	resp.Request = req
	resp.Body = &body{ReadCloser: resp.Body, hop: hop, redirect: isRedirect(resp)}
	return resp, nil
}

// attempt is the running one for a redirect hop, else the next one.
func (t *Transport) attempt(req *http.Request) *attempt {
	t.mu.Lock()
	defer t.mu.Unlock()
	if req.Response != nil && t.open != nil {
		return t.open
	}
	t.finalizeOpen()
	t.attempts++
	t.open = &attempt{n: t.attempts, journal: t.Journal, stop: t.Stop}
	t.open.add(eventlog.Event{Kind: eventlog.AttemptStarted, RemainingMs: clock.InMs(time.Until(t.Deadline))})
	return t.open
}

// Refuse lets no further request through: the operation was given up.
func (t *Transport) Refuse() {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.refusing = true
}

func (t *Transport) refuses() bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.refusing
}

// newest is the number of the attempt that began last, 0 for none.
func (t *Transport) newest() int {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.attempts
}

// Finalize gives an attempt that is still open its end: a redirect that was not
// followed, or a body that nobody closed.
func (t *Transport) Finalize() {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.finalizeOpen()
}

func (t *Transport) finalizeOpen() {
	if t.open != nil {
		t.open.finalize()
	}
}

func isRedirect(resp *http.Response) bool {
	return resp.StatusCode >= 300 && resp.StatusCode < 400 && resp.Header.Get("Location") != ""
}
