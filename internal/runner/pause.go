package runner

import (
	"context"
	"time"

	"github.com/deadlinelab/deadlinelab/internal/eventlog"
)

// backoff is the pause between attempts as one operation sees it.
type backoff struct {
	journal   *journal
	stop      *stop
	transport *transport // whose attempt the pause follows
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
	after := p.transport.newest()
	p.journal.add(eventlog.Event{Kind: eventlog.BackoffStarted, Attempt: after, PlannedMs: inMs(d), RemainingMs: inMs(time.Until(p.transport.deadline))})
	select {
	case <-timer.C:
		p.journal.add(eventlog.Event{Kind: eventlog.BackoffFinished, Attempt: after})
		return nil
	case <-ctx.Done():
		return p.stop.tell(ctx)
	}
}
