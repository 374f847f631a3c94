package runner

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"runtime/pprof"
	"sync/atomic"
	"time"

	"github.com/deadlinelab/deadlinelab/internal/eventlog"
	"github.com/deadlinelab/deadlinelab/internal/scenario"
	"github.com/deadlinelab/deadlinelab/internal/variants"
)

// abandonAfter is how long an operation may take to return once the hard cap
// has cancelled it and closed its connections.
const abandonAfter = time.Second

// operation is one call by a caller, with the instruments it is made through.
type operation struct {
	start  eventlog.Start
	policy variants.Policy
	client *client
	do     variants.Do
	url    string
	marker string
	ask    *scenario.Scenario // what the requests look like, and how long the caller waits; nil = a plain GET
	labels pprof.LabelSet     // of every goroutine that the call starts

	journal   *journal
	stop      *stop
	transport *transport
	slots     *slots

	t0      time.Time
	begun   chan struct{} // t0 is taken
	ended   chan struct{} // control is back with the caller, or was given up
	cancel  context.CancelCauseFunc
	capped  atomic.Bool
	stopped atomic.Bool // the caller has cancelled
}

// perform makes the call and returns when it has ended: by itself, by the hard
// cap, or because the run was given up.
func (o *operation) perform(ctx context.Context) {
	ctx, o.cancel = context.WithCancelCause(ctx)
	defer o.cancel(nil)
	go o.call(ctx)
	<-o.begun
	timer := time.NewTimer(time.Until(o.t0.Add(HardCap(o.policy.Budget))))
	defer timer.Stop()
	select {
	case <-o.ended:
		return
	case <-timer.C:
		o.capped.Store(true)
		o.cancel(variants.ErrCap)
	case <-ctx.Done():
		if o.stopped.Load() { // a cancel is the caller's; it must return by itself
			o.awaitCap(timer)
		}
	}
	o.giveUp(ctx)
}

// awaitCap is the rest of perform for an operation that was cancelled.
func (o *operation) awaitCap(timer *time.Timer) {
	select {
	case <-o.ended:
	case <-timer.C:
		o.capped.Store(true)
		o.cancel(variants.ErrCap)
	}
}

// giveUp closes the connections of an operation that has to end now, and
// leaves it behind if it does not.
func (o *operation) giveUp(ctx context.Context) {
	select {
	case <-o.ended:
		return
	default:
	}
	o.transport.refuse()
	o.client.conns.closeOf(o.journal)
	timer := time.NewTimer(abandonAfter)
	defer timer.Stop()
	select {
	case <-o.ended:
	case <-timer.C:
		o.conclude(ctx, variants.Response{}, errAbandoned)
	}
}

var (
	errAbandoned = &variants.Error{Outcome: eventlog.CapReached, Err: errors.New("it did not return after the hard cap, and was left behind")}
	errVanished  = &variants.Error{Outcome: eventlog.ClientError, Err: errors.New("the variant ended its goroutine without returning")}
)

// call takes t0 and runs the variant. A panic is the variant's failure alone.
func (o *operation) call(ctx context.Context) {
	defer close(o.ended)
	o.begin()
	resp, err := variants.Response{}, error(errVanished)
	defer func() {
		if p := recover(); p != nil {
			err = &variants.Error{Outcome: eventlog.ClientError, Err: &PanicError{Value: p}}
		}
		o.conclude(ctx, resp, err)
	}()
	pprof.Do(ctx, o.labels, func(ctx context.Context) {
		asked, done := o.askedWithin(ctx)
		defer done()
		resp, err = o.do(asked, o.env())
	})
}

// askedWithin is the context that the caller hands to the client: with its own
// deadline if it has one.
func (o *operation) askedWithin(ctx context.Context) (context.Context, context.CancelFunc) {
	if o.ask == nil || o.ask.CallerDeadlineMs == nil {
		return ctx, func() {}
	}
	return context.WithDeadlineCause(ctx, o.t0.Add(ms(*o.ask.CallerDeadlineMs)), variants.ErrCallerDeadline)
}

// PanicError is a variant that panicked.
type PanicError struct{ Value any }

func (e *PanicError) Error() string { return fmt.Sprintf("the variant panicked: %v", e.Value) }

func (o *operation) begin() {
	o.t0 = time.Now()
	o.transport.deadline = o.t0.Add(o.within())
	start := o.start
	start.DeadlineNs = o.stop.clock.Ns(o.transport.deadline)
	if o.within() != o.policy.Budget {
		start.T0Ns = o.stop.clock.Ns(o.t0)
	}
	o.journal.add(eventlog.Event{Kind: eventlog.OperationStarted, Start: &start})
	close(o.begun)
}

// asks gives the operation what its requests look like. A HEAD has no body that
// could hold a marker.
func (o *operation) asks(s *scenario.Scenario) {
	o.ask = s
	if s.Method == http.MethodHead {
		o.marker = ""
	}
}

// within is the time that the operation has: the budget, or what the caller
// itself waits if that is less. Nothing can end before it was called.
func (o *operation) within() time.Duration {
	if o.ask == nil || o.ask.CallerDeadlineMs == nil {
		return o.policy.Budget
	}
	return max(0, min(o.policy.Budget, ms(*o.ask.CallerDeadlineMs)))
}

func (o *operation) env() *variants.Env {
	pauses := &backoff{journal: o.journal, stop: o.stop, transport: o.transport}
	env := &variants.Env{Start: o.t0, Policy: o.policy, URL: o.url, Marker: o.marker,
		Transport: o.transport, Slots: o.slots, Pause: pauses.pause,
		RequestID: o.journal.op, RetryBudget: o.client.retries}
	if o.ask != nil {
		env.Method, env.BodyBytes = o.ask.Method, o.ask.BodyBytes
		if o.ask.IdempotencyKey {
			env.IdempotencyKey = o.journal.op
		}
	}
	return env
}

// conclude records how the operation ended. One that ends because the run was
// given up has no end in the log: it was not measured.
func (o *operation) conclude(ctx context.Context, resp variants.Response, err error) {
	if errors.Is(context.Cause(ctx), errGivenUp) {
		o.journal.abandon()
		return
	}
	o.transport.settle()
	if err == nil {
		err = variants.Verify(resp, o.marker)
	}
	if errors.Is(err, variants.ErrOperationDeadline) {
		o.stop.fire(time.Time{}, causeDeadline)
	}
	o.journal.finish(o.finished(err))
}

func (o *operation) finished(err error) eventlog.Event {
	e := eventlog.Event{Kind: eventlog.OperationFinished}
	e.Outcome, e.Last = variants.OutcomeOf(err)
	if o.capped.Load() && e.Outcome != eventlog.CapReached {
		e.Outcome, e.Last = eventlog.CapReached, e.Outcome
	}
	if err != nil {
		e.ErrorType, e.Error = errorType(err), err.Error()
	}
	return e
}

// requestCancel is the caller's cancel: recorded, then done. An operation that
// has ended cannot be cancelled any more.
func (o *operation) requestCancel(due time.Time) {
	e := eventlog.Event{Kind: eventlog.ExternalCancelRequested, DueNs: o.stop.clock.Ns(due), LateMs: inMs(time.Since(due))}
	if o.journal.add(e) != 0 {
		o.stopped.Store(true)
		o.cancel(variants.ErrCancelled)
	}
}
