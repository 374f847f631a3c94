package runner

import (
	"context"
	"fmt"
	"sync"
	"time"

	"github.com/deadlinelab/deadlinelab/internal/clock"
	"github.com/deadlinelab/deadlinelab/internal/control"
	"github.com/deadlinelab/deadlinelab/internal/eventlog"
	"github.com/deadlinelab/deadlinelab/internal/fault"
)

// heldWithin bounds the wait until a helper's request is held by its gate.
const heldWithin = 15 * time.Second

// arranged is one item's operations with everything that was set up around them.
type arranged struct {
	run     *run
	x       *experiment
	main    *underway // the first caller's: what is arranged counts from its t0
	callers []performer
	helper  holder
	around  fault.Arrangement
	helpers sync.WaitGroup
	failed  chan error // a helper could not do its part
}

// prepare returns when t0 may come.
func (a *arranged) prepare(ctx context.Context) error {
	if a.around.CancelOn != "" {
		for _, c := range a.callers {
			o := c.common()
			moment := a.run.moments.Await(o.journal.Op, a.around.CancelOn)
			a.helpers.Go(func() { a.cancelAfter(ctx, o, moment) })
		}
	}
	if a.around.HoldListener > 0 {
		for _, o := range a.callers {
			a.helpers.Go(func() { a.releaseListener(ctx, o.common()) })
		}
	}
	switch {
	case a.around.HoldSlot > 0 && a.x.scenario.Slots > 0:
		return a.readyAfter(ctx, a.helper.holdSlots)
	case a.around.HoldConnection > 0:
		return a.readyAfter(ctx, a.helper.holdConnection)
	case a.around.LeadUntil != "":
		return a.lead(ctx)
	}
	return nil
}

// perform makes every caller's call, start_gap_ms apart, and returns when all
// have ended.
func (a *arranged) perform(ctx context.Context) {
	first, gap := time.Now(), a.gap()
	var calls sync.WaitGroup
	for i, o := range a.callers {
		calls.Go(func() {
			if i == 0 || sleepUntil(ctx, first.Add(time.Duration(i)*gap)) == nil {
				o.perform(ctx)
			}
			a.run.count(-1, 1)
		})
	}
	calls.Wait()
}

func (a *arranged) gap() time.Duration {
	if a.x.scenario.Callers == nil {
		return 0
	}
	return clock.FromMs(a.x.scenario.Callers.StartGapMs)
}

// readyAfter runs a helper and returns when it says that it holds what it is to
// hold. It is no failure when the hard cap of the operation that it served has
// ended it.
func (a *arranged) readyAfter(ctx context.Context, hold func(context.Context, *arranged, func()) error) error {
	ready := make(chan struct{})
	a.helpers.Go(func() {
		if err := hold(ctx, a, func() { close(ready) }); err != nil {
			a.failed <- fmt.Errorf("%s: %w", a.helper.common().journal.Op, err)
		}
	})
	select {
	case <-ready:
		return nil
	case err := <-a.failed:
		return err
	}
}

// releaseListener lets connections of the operation through from hold after its
// t0 on. A warm-up's listener is released as well.
func (a *arranged) releaseListener(ctx context.Context, o *underway) {
	select {
	case <-o.begun:
	case <-ctx.Done():
		return
	}
	due := a.run.serverNs(o.t0.Add(a.around.HoldListener))
	if err := a.run.control.Release(ctx, a.x.name, o.journal.Op, control.Release{AtNs: due}); err != nil && ctx.Err() == nil {
		select {
		case a.failed <- fmt.Errorf("%s: its listener could not be released: %w", o.journal.Op, err):
		default: // another failure ends the run already
		}
	}
}

// afterT0 waits until d after the operation's t0.
func (a *arranged) afterT0(ctx context.Context, d time.Duration) error {
	select {
	case <-a.main.begun:
	case <-ctx.Done():
		return context.Cause(ctx)
	}
	return sleepUntil(ctx, a.main.t0.Add(d))
}

// lead is an operation of the same variant that goes first; t0 follows its
// first event of the kind, or its end if there is none.
func (a *arranged) lead(ctx context.Context) error {
	h := a.helper.common()
	moment := a.run.moments.Await(h.journal.Op, a.around.LeadUntil)
	a.helpers.Go(func() { a.helper.perform(ctx) })
	select {
	case <-moment:
	case <-h.ended:
		a.run.moments.Forget(h.journal.Op, a.around.LeadUntil)
	}
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	return nil
}

// cancelAfter is the caller that loses patience: due at the event's own time
// plus the delay, not when the news of it came.
func (a *arranged) cancelAfter(ctx context.Context, o *underway, moment <-chan eventlog.Event) {
	defer a.run.moments.Forget(o.journal.Op, a.around.CancelOn)
	select {
	case e := <-moment:
		due := a.run.clock.At(happenedNs(e)).Add(a.around.CancelAfter)
		if sleepUnless(o.ended, due) {
			o.requestCancel(due)
		}
	case <-o.ended:
	case <-ctx.Done():
	}
}

// happenedNs is when an event happened: by the client's own account if it has one.
func happenedNs(e eventlog.Event) int64 {
	if e.AtNs != 0 {
		return e.AtNs
	}
	return e.TNs
}

// sleepUntil waits for an absolute instant.
func sleepUntil(ctx context.Context, due time.Time) error {
	timer := time.NewTimer(time.Until(due))
	defer timer.Stop()
	select {
	case <-timer.C:
		return nil
	case <-ctx.Done():
		return context.Cause(ctx)
	}
}

// sleepUnless waits for an absolute instant and tells whether it came before over.
func sleepUnless(over <-chan struct{}, due time.Time) bool {
	timer := time.NewTimer(time.Until(due))
	defer timer.Stop()
	select {
	case <-timer.C:
		return true
	case <-over:
		return false
	}
}
