package instrument

import (
	"context"
	"errors"
	"sync"
	"time"

	"github.com/deadlinelab/deadlinelab/internal/clock"
	"github.com/deadlinelab/deadlinelab/internal/eventlog"
	"github.com/deadlinelab/deadlinelab/internal/httperror"
	"github.com/deadlinelab/deadlinelab/internal/variants"
)

// attempt is one call of the variant into the HTTP layer, redirects included.
// It ends with exactly one event.
type attempt struct {
	n       int
	journal *Journal
	stop    *Stop

	mu      sync.Mutex
	ended   bool
	status  int  // of the newest response
	between bool // a redirect's body is closed, the next hop has not begun
}

// add records an event of the attempt, unless it has ended.
func (a *attempt) add(e eventlog.Event) {
	a.mu.Lock()
	defer a.mu.Unlock()
	if !a.ended {
		e.Attempt = a.n
		a.journal.Add(e)
	}
}

// end records the one event that ends the attempt.
func (a *attempt) end(e eventlog.Event) {
	a.mu.Lock()
	defer a.mu.Unlock()
	if !a.ended {
		a.ended, e.Attempt, e.Status = true, a.n, a.status
		a.journal.Add(e)
	}
}

func (a *attempt) answered(status int) {
	a.add(eventlog.Event{Kind: eventlog.HeadersReceived, Status: status})
	a.mu.Lock()
	defer a.mu.Unlock()
	a.status = status
}

func (a *attempt) afterRedirect(between bool) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.between = between
}

// finalize ends an attempt whose caller will not.
func (a *attempt) finalize() {
	a.mu.Lock()
	between := a.between
	a.mu.Unlock()
	if between {
		a.end(eventlog.Event{Kind: eventlog.AttemptFinished})
		return
	}
	a.end(eventlog.Event{Kind: eventlog.AttemptFailed, ErrorType: "unclosed_body", Error: "the response body was never closed"})
}

// fail ends the attempt by err, or by what ended ctx, and says what the
// operation's code is to be told.
func (a *attempt) fail(ctx context.Context, err error) error {
	if limit := limitOf(ctx, err); limit != nil {
		a.timedOut(limit.Limit, limit.Due)
		return limit
	}
	if ctx.Err() == nil {
		if headerTimeout(err) {
			a.timedOut("header_timeout", time.Time{})
			return err
		}
		a.end(eventlog.Event{Kind: eventlog.AttemptFailed, ErrorType: httperror.Innermost(err), Error: err.Error()})
		return err
	}
	a.stop.note(ctx)
	if errors.Is(context.Cause(ctx), variants.ErrAttemptTimeout) {
		due, _ := ctx.Deadline()
		a.timedOut("total_ms", due)
	} else {
		a.end(eventlog.Event{Kind: eventlog.AttemptCancelled, Cause: stopCause(ctx)})
	}
	return a.stop.Tell(ctx)
}

// limitOf is the attempt's limit that ended it, nil if none did.
func limitOf(ctx context.Context, err error) *variants.LimitError {
	var limit *variants.LimitError
	if errors.As(err, &limit) || errors.As(context.Cause(ctx), &limit) {
		return limit
	}
	return clientTimeout(ctx)
}

// clientTimeout is what http.Client.Timeout ended the attempt with; nil if it
// did not. That client sets a deadline without a cause of its own.
func clientTimeout(ctx context.Context) *variants.LimitError {
	limit := variants.LimitsFrom(ctx).Client
	if limit == 0 || context.Cause(ctx) != context.DeadlineExceeded {
		return nil
	}
	due, _ := ctx.Deadline()
	return &variants.LimitError{Limit: "client_timeout", After: limit, Due: due}
}

// headerTimeout tells http.Transport's ResponseHeaderTimeout from a failed
// connection: both are timeouts by type, only a dial is an operation on a socket.
func headerTimeout(err error) bool {
	outcome, _ := variants.OutcomeOf(err)
	return outcome == eventlog.AttemptTimeout
}

// timedOut ends the attempt by one of its limits. How late that limit acted
// tells a stall of the machine from a wait of the client.
func (a *attempt) timedOut(limit string, due time.Time) {
	e := eventlog.Event{Kind: eventlog.AttemptTimedOut, Limit: limit}
	if !due.IsZero() {
		e.DueNs, e.LateMs = a.stop.Clock.Ns(due), max(0, clock.InMs(time.Since(due)))
	}
	a.end(e)
}
