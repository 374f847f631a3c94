package runner

import (
	"context"
	"io"
	"net/http"

	"github.com/deadlinelab/deadlinelab/internal/control"
)

// holdSlots is an operation that has every slot until hold after t0.
func (o *operation) holdSlots(ctx context.Context, a *arranged, ready func()) error {
	return o.helpedUntil(a, o.occupySlots(ctx, a, ready))
}

// holdConnection is a request through the same client whose body ends hold
// after t0: until then it occupies the only connection.
func (o *operation) holdConnection(ctx context.Context, a *arranged, ready func()) error {
	return o.helpedUntil(a, o.occupyConnection(ctx, a, ready))
}

// helpedUntil ends a helper. It is no failure of the arrangement when the hard
// cap of the operation that it served has closed their connections.
func (o *operation) helpedUntil(a *arranged, err error) error {
	if err == nil || a.main.capped.Load() {
		o.journal.Finish(o.finished(err))
		return nil
	}
	o.journal.Abandon()
	return err
}

func (o *operation) occupySlots(ctx context.Context, a *arranged, ready func()) error {
	o.begin()
	for range cap(o.slots.Queue) {
		if err := o.slots.Acquire(ctx); err != nil {
			return err
		}
	}
	ready()
	err := a.afterT0(ctx, a.around.HoldSlot)
	for range cap(o.slots.Queue) {
		o.slots.Release()
	}
	return err
}

func (o *operation) occupyConnection(ctx context.Context, a *arranged, ready func()) error {
	o.begin()
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, o.target, nil)
	if err != nil {
		return err
	}
	resp, err := o.transport.RoundTrip(req)
	if err != nil {
		return err
	}
	defer resp.Body.Close()
	if _, err := a.run.control.Held(ctx, a.x.name, o.journal.Op, 1, heldWithin); err != nil {
		return err
	}
	ready()
	if err := a.releaseHeld(ctx); err != nil {
		return err
	}
	_, err = io.Copy(io.Discard, resp.Body)
	return err
}

// releaseHeld opens the helper's gate at hold after t0, once t0 is known.
func (a *arranged) releaseHeld(ctx context.Context) error {
	if err := a.afterT0(ctx, 0); err != nil {
		return err
	}
	due := a.run.serverNs(a.main.t0.Add(a.around.HoldConnection))
	return a.run.control.Release(ctx, a.x.name, a.helper.common().journal.Op, control.Release{AtNs: due})
}
