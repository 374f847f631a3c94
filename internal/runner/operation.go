package runner

import (
	"context"
	"errors"
	"fmt"
	"runtime/pprof"
	"time"

	"github.com/deadlinelab/deadlinelab/internal/clock"
	"github.com/deadlinelab/deadlinelab/internal/eventlog"
	"github.com/deadlinelab/deadlinelab/internal/httperror"
	"github.com/deadlinelab/deadlinelab/internal/instrument"
	"github.com/deadlinelab/deadlinelab/internal/variants"
)

// operation is one call by a caller through a variant of the bench, with the
// instruments that it is made through.
type operation struct {
	*underway
	client *client
	do     variants.Do
	labels pprof.LabelSet // of every goroutine that the call starts

	stop      *instrument.Stop
	transport *instrument.Transport
	slots     *instrument.Slots
}

// perform makes the call and returns when it has ended: by itself, by the hard
// cap, or because the run was given up.
func (o *operation) perform(ctx context.Context) {
	ctx = o.performable(ctx)
	defer o.cancel(nil)
	go o.call(ctx)
	<-o.begun
	timer := time.NewTimer(time.Until(o.t0.Add(o.hardCap())))
	defer timer.Stop()
	o.awaitEnd(ctx, timer)
	o.giveUp(ctx)
}

// giveUp closes the connections of an operation that has to end now, and
// leaves it behind if it does not.
func (o *operation) giveUp(ctx context.Context) {
	select {
	case <-o.ended:
		return
	default:
	}
	o.transport.Refuse()
	o.client.conns.CloseOf(o.journal)
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
	return context.WithDeadlineCause(ctx, o.t0.Add(clock.FromMs(*o.ask.CallerDeadlineMs)), variants.ErrCallerDeadline)
}

// PanicError is a variant that panicked.
type PanicError struct{ Value any }

func (e *PanicError) Error() string { return fmt.Sprintf("the variant panicked: %v", e.Value) }

func (o *operation) begin() {
	o.t0 = time.Now()
	o.transport.Deadline = o.deadline()
	o.journal.Add(o.started())
	close(o.begun)
}

func (o *operation) env() *variants.Env {
	pauses := &instrument.Pause{Journal: o.journal, Stop: o.stop, Transport: o.transport}
	env := &variants.Env{Start: o.t0, Policy: o.policy, URL: o.target, Marker: o.marker,
		Transport: o.transport, Slots: o.slots, Pause: pauses.Pause,
		RequestID: o.journal.Op, RetryBudget: o.client.retries}
	if o.ask != nil {
		env.Method, env.BodyBytes = o.ask.Method, o.ask.BodyBytes
		if o.ask.IdempotencyKey {
			env.IdempotencyKey = o.journal.Op
		}
	}
	return env
}

// conclude records how the operation ended. One that ends because the run was
// given up has no end in the log: it was not measured.
func (o *operation) conclude(ctx context.Context, resp variants.Response, err error) {
	if o.givenUp(ctx) {
		o.journal.Abandon()
		return
	}
	o.transport.Finalize()
	if err == nil {
		err = variants.Verify(resp, o.marker)
	}
	if errors.Is(err, variants.ErrOperationDeadline) {
		o.stop.Fire(time.Time{}, instrument.CauseDeadline)
	}
	o.journal.Finish(o.finished(err))
}

func (o *operation) finished(err error) eventlog.Event {
	e := eventlog.Event{Kind: eventlog.OperationFinished}
	e.Outcome, e.Last = variants.OutcomeOf(err)
	if o.capped.Load() && e.Outcome != eventlog.CapReached {
		e.Outcome, e.Last = eventlog.CapReached, e.Outcome
	}
	if err != nil {
		e.ErrorType, e.Error = httperror.Innermost(err), err.Error()
	}
	return e
}
