package runner

import (
	"context"
	"errors"
	"fmt"
	"sync/atomic"
	"time"

	"github.com/deadlinelab/deadlinelab/internal/eventlog"
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
	o.client.conns.closeAll()
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
	resp, err = o.do(ctx, o.env())
}

// PanicError is a variant that panicked.
type PanicError struct{ Value any }

func (e *PanicError) Error() string { return fmt.Sprintf("the variant panicked: %v", e.Value) }

func (o *operation) begin() {
	o.t0 = time.Now()
	o.transport.deadline = o.t0.Add(o.policy.Budget)
	start := o.start
	start.DeadlineNs = o.stop.clock.Ns(o.transport.deadline)
	o.journal.add(eventlog.Event{Kind: eventlog.OperationStarted, Start: &start})
	close(o.begun)
}

func (o *operation) env() *variants.Env {
	pauses := &backoff{journal: o.journal, stop: o.stop, transport: o.transport}
	return &variants.Env{Start: o.t0, Policy: o.policy, URL: o.url, Marker: o.marker,
		Transport: o.transport, Slots: o.slots, Pause: pauses.pause}
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
		o.stop.fire(time.Time{})
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
