package runner

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/deadlinelab/deadlinelab/internal/clock"
	"github.com/deadlinelab/deadlinelab/internal/control"
	"github.com/deadlinelab/deadlinelab/internal/variants"
)

// helperGrace is how much more than what it is to hold a helper's budget is: no
// limit of its own may end it before the bench does.
const helperGrace = 10 * time.Second

// notHeldError is a helper that did not come to hold what it was to hold. It
// costs its client the operation, and the run nothing.
type notHeldError struct {
	helper string
	why    string
}

func (e *notHeldError) Error() string {
	return fmt.Sprintf("its helper %s was to hold what it waits for: %s", e.helper, e.why)
}

// holdSlots has the client take all of its slots and give them back at hold
// after t0, by its own clock.
func (o *externalOperation) holdSlots(ctx context.Context, a *arranged, ready func()) error {
	held, until := make(chan struct{}), make(chan time.Time, 1)
	o.call.HoldSlots, o.call.Holding, o.call.Until = true, func() { close(held) }, until
	h := o.startHelper(ctx, a, a.around.HoldSlot)
	defer h.end(nil)
	timer := time.NewTimer(heldWithin)
	defer timer.Stop()
	select {
	case <-held:
	case <-o.ended:
	case <-timer.C:
		return h.failed(o.notHeld(fmt.Sprintf("it had not taken every slot after %s", heldWithin)))
	}
	if err := o.holds(ctx); err != nil {
		return h.failed(err)
	}
	ready()
	if err := a.afterT0(ctx, 0); err != nil {
		return h.failed(err)
	}
	until <- a.main.t0.Add(a.around.HoldSlot)
	<-h.over
	return nil
}

// holdConnection is a call through the same client whose answer ends hold after
// t0: until then it occupies the only connection.
func (o *externalOperation) holdConnection(ctx context.Context, a *arranged, ready func()) error {
	o.policy.MaxAttempts, o.policy.Limits = 1, variants.Limits{}
	h := o.startHelper(ctx, a, a.around.HoldConnection)
	defer h.end(nil)
	if err := o.awaitHeld(ctx, a); err != nil {
		return h.failed(err)
	}
	ready()
	if err := a.releaseHeld(ctx); err != nil {
		return h.failed(err)
	}
	<-h.over
	return nil
}

// helping is a helper's call under way.
type helping struct {
	operation *externalOperation
	end       context.CancelCauseFunc
	over      chan struct{} // it has ended
}

// startHelper makes the helper's call; hold is how long it will be kept from
// ending once t0 has come.
func (o *externalOperation) startHelper(ctx context.Context, a *arranged, hold time.Duration) *helping {
	o.policy.Budget = hold + helperGrace
	o.start.BudgetMs = clock.InMs(o.policy.Budget)
	h := &helping{operation: o, over: make(chan struct{})}
	ctx, h.end = context.WithCancelCause(ctx)
	a.helpers.Go(func() {
		defer close(h.over)
		o.perform(ctx)
	})
	return h
}

// failed ends the helper's call by force.
func (h *helping) failed(err error) error {
	h.operation.capped.Store(true)
	h.end(variants.ErrCap)
	<-h.over
	return err
}

// holds tells whether the helper still is under way, as it is to be when it
// holds something.
func (o *externalOperation) holds(ctx context.Context) error {
	select {
	case <-o.ended:
	default:
		return nil
	}
	if end := o.end.Load(); end != nil {
		return o.notHeld(fmt.Sprintf("it ended too early: %s: %s", end.Outcome, end.Error))
	}
	return context.Cause(ctx)
}

func (o *externalOperation) notHeld(why string) error { return &notHeldError{o.journal.Op, why} }

// awaitHeld returns when the helper's request is held by its gate.
func (o *externalOperation) awaitHeld(ctx context.Context, a *arranged) error {
	asking, stop := context.WithCancel(ctx)
	defer stop()
	go func() {
		select {
		case <-o.ended:
			stop()
		case <-asking.Done():
		}
	}()
	_, err := a.run.control.Held(asking, a.x.name, o.journal.Op, 1, heldWithin)
	if ended := o.holds(ctx); ended != nil {
		return ended
	}
	var refused *control.APIError
	if errors.As(err, &refused) {
		return o.notHeld(fmt.Sprintf("its request did not arrive within %s", heldWithin))
	}
	return err
}
