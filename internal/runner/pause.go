package runner

import (
	"context"
	"time"

	"github.com/deadlinelab/deadlinelab/internal/eventlog"
)

// backoff is the pause between attempts as one operation sees it.
type backoff struct {
	journal  *journal
	stop     *stop
	deadline time.Time // t0 + budget, for remaining_ms
}

// pause sleeps d, or until ctx ends; only a pause slept to its end has finished.
// A pause of nothing is none.
func (p *backoff) pause(ctx context.Context, d time.Duration) error {
	p.stop.watch(ctx)
	if ctx.Err() != nil {
		return p.stop.tell(ctx)
	}
	if d <= 0 {
		return nil
	}
	timer := time.NewTimer(d)
	defer timer.Stop()
	p.journal.add(eventlog.Event{Kind: eventlog.BackoffStarted, PlannedMs: inMs(d), RemainingMs: inMs(time.Until(p.deadline))})
	select {
	case <-timer.C:
		p.journal.add(eventlog.Event{Kind: eventlog.BackoffFinished})
		return nil
	case <-ctx.Done():
		return p.stop.tell(ctx)
	}
}
