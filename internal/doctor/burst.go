package doctor

import (
	"context"
	"time"

	"github.com/deadlinelab/deadlinelab/internal/control"
	"github.com/deadlinelab/deadlinelab/internal/eventlog"
)

const (
	burstAhead = 150 * time.Millisecond // from all held to due: time for every exchange to be waiting
	heldWithin = 10 * time.Second
)

// burst has InFlight exchanges held at one gate that opens at one instant, with
// clients that read at once and share the CPUs.
func (i *injector) burst(ctx context.Context, rounds int) (*Lateness, error) {
	events, err := i.experiment(ctx, "{type: pool_wait, hold_ms: 1000}", eventlog.Helper, func(x string, op control.Operation) error {
		for range rounds {
			if err := i.burstOnce(ctx, x, op); err != nil {
				return err
			}
		}
		return nil
	})
	return sumUp(releasedLate(events)), err
}

func (i *injector) burstOnce(ctx context.Context, x string, op control.Operation) error {
	answered := make(chan error, 1)
	go func() {
		answered <- together(func(int) error { _, err := i.get(ctx, op.BaseURL); return err })
	}()
	if _, err := i.control.Held(ctx, x, op.Op, InFlight, heldWithin); err != nil {
		return err
	}
	now, err := i.control.Clock(ctx)
	if err != nil {
		return err
	}
	if err := i.control.Release(ctx, x, op.Op, control.Release{Count: InFlight, AtNs: now.TNs + int64(burstAhead)}); err != nil {
		return err
	}
	return <-answered
}

// releasedLate is how long after the gate's instant each next write had returned.
func releasedLate(events []eventlog.Event) (ms []float64) {
	due := map[int]int64{} // by exchange
	for _, e := range events {
		switch e.Kind {
		case eventlog.GateReleased:
			due[e.Exchange] = e.DueNs
		case eventlog.ServerBodyWritten:
			if at, released := due[e.Exchange]; released {
				ms = append(ms, float64(e.TNs-at)/1e6)
			}
		}
	}
	return ms
}
