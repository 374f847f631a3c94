package runner

import (
	"context"
	"errors"
	"net/http"
	"sync/atomic"
	"time"

	"github.com/deadlinelab/deadlinelab/internal/clock"
	"github.com/deadlinelab/deadlinelab/internal/eventlog"
	"github.com/deadlinelab/deadlinelab/internal/instrument"
	"github.com/deadlinelab/deadlinelab/internal/scenario"
	"github.com/deadlinelab/deadlinelab/internal/variants"
)

// abandonAfter is how long an operation may take to return once the hard cap
// has cancelled it and ended by force what it holds.
const abandonAfter = time.Second

// performer is an operation, whoever makes its call: a variant of the bench, or
// a client in a process of its own.
type performer interface {
	// perform makes the call and returns when it has ended: by itself, by the
	// hard cap, or because the run was given up.
	perform(ctx context.Context)
	common() *underway
}

// holder is a performer that can occupy what its client has for the operation
// that it serves. Both return when they no longer hold it; they call ready once
// they do.
type holder interface {
	performer
	holdSlots(ctx context.Context, a *arranged, ready func()) error
	holdConnection(ctx context.Context, a *arranged, ready func()) error
}

// underway is what an operation is and how far it has come, whoever makes its call.
type underway struct {
	start  eventlog.Start
	policy variants.Policy
	target string
	marker string
	ask    *scenario.Scenario // what the requests look like, and how long the caller waits; nil = a plain GET

	journal *instrument.Journal
	clock   clock.Clock

	t0      time.Time
	begun   chan struct{} // t0 is taken
	ended   chan struct{} // control is back with the caller, or was given up
	cancel  context.CancelCauseFunc
	run     context.Context // ends when the run is given up
	capped  atomic.Bool
	stopped atomic.Bool // the caller has cancelled
}

func (u *underway) common() *underway { return u }

// awaitEnd returns when the operation has ended, or has to: at the hard cap, or
// because the run was given up. A cancel is the caller's: an operation that was
// cancelled must return by itself.
func (u *underway) awaitEnd(ctx context.Context, timer *time.Timer) {
	select {
	case <-u.ended:
	case <-timer.C:
		u.reachCap()
	case <-ctx.Done():
		if u.stopped.Load() {
			u.awaitCap(timer)
		}
	}
}

func (u *underway) awaitCap(timer *time.Timer) {
	select {
	case <-u.ended:
	case <-timer.C:
		u.reachCap()
	case <-u.run.Done():
	}
}

// performable gives the operation a context of its own.
func (u *underway) performable(run context.Context) (ctx context.Context) {
	u.run = run
	ctx, u.cancel = context.WithCancelCause(run)
	return ctx
}

// givenUp tells whether the operation ends with its run: then it was not
// measured, and has no end in the log.
func (u *underway) givenUp(ctx context.Context) bool {
	return errors.Is(context.Cause(ctx), instrument.ErrAborted) || u.run != nil && errors.Is(context.Cause(u.run), instrument.ErrAborted)
}

func (u *underway) reachCap() {
	u.capped.Store(true)
	u.cancel(variants.ErrCap)
}

// refuse ends an operation that is not performed, because what was to surround
// it could not be arranged: it proves nothing.
func (u *underway) refuse(why error) {
	u.t0 = time.Now()
	u.journal.Add(u.started())
	close(u.begun)
	u.journal.Finish(eventlog.Event{Kind: eventlog.OperationFinished, Outcome: eventlog.ClientError, Cause: eventlog.ClientBroke, Error: "it was not called: " + why.Error()})
	close(u.ended)
}

// asks gives the operation what its requests look like. A HEAD has no body that
// could hold a marker.
func (u *underway) asks(s *scenario.Scenario) {
	u.ask = s
	if s.Method == http.MethodHead {
		u.marker = ""
	}
}

// within is the time that the operation has: the budget, or what the caller
// itself waits if that is less. Nothing can end before it was called.
func (u *underway) within() time.Duration {
	if u.ask == nil || u.ask.CallerDeadlineMs == nil {
		return u.policy.Budget
	}
	return max(0, min(u.policy.Budget, clock.FromMs(*u.ask.CallerDeadlineMs)))
}

// hardCap is when the bench ends the operation, from t0. What helps or probes
// has a budget of its own.
func (u *underway) hardCap() time.Duration {
	if u.ask != nil {
		return u.ask.Cap()
	}
	return scenario.DefaultCap(clock.InMs(u.policy.Budget))
}

func (u *underway) deadline() time.Time { return u.t0.Add(u.within()) }

// started is the operation's first event, from t0 on.
func (u *underway) started() eventlog.Event {
	start := u.start
	start.DeadlineNs = u.clock.Ns(u.deadline())
	if u.within() != u.policy.Budget {
		start.T0Ns = u.clock.Ns(u.t0)
	}
	return eventlog.Event{Kind: eventlog.OperationStarted, Start: &start}
}

// requestCancel is the caller's cancel: recorded, then done. An operation that
// has ended cannot be cancelled any more.
func (u *underway) requestCancel(due time.Time) {
	e := eventlog.Event{Kind: eventlog.ExternalCancelRequested, DueNs: u.clock.Ns(due), LateMs: clock.InMs(time.Since(due))}
	if u.journal.Add(e) != 0 {
		u.stopped.Store(true)
		u.cancel(variants.ErrCancelled)
	}
}
