package instrument

import (
	"context"
	"time"

	"github.com/deadlinelab/deadlinelab/internal/clock"
	"github.com/deadlinelab/deadlinelab/internal/eventlog"
)

// Pause is the pause between attempts as one operation sees it.
type Pause struct {
	Journal   *Journal
	Stop      *Stop
	Transport *Transport // whose attempt the pause follows
}

// Pause sleeps d, or until ctx ends; only a pause slept to its end has finished.
// A pause of nothing is none.
func (p *Pause) Pause(ctx context.Context, d time.Duration) error {
	p.Stop.watch(ctx)
	if ctx.Err() != nil {
		return p.Stop.Tell(ctx)
	}
	if d <= 0 {
		return nil
	}
	timer := time.NewTimer(d)
	defer timer.Stop()
	after := p.Transport.newest()
	p.Journal.Add(eventlog.Event{Kind: eventlog.BackoffStarted, Attempt: after, PlannedMs: clock.InMs(d), RemainingMs: clock.InMs(time.Until(p.Transport.Deadline))})
	select {
	case <-timer.C:
		p.Journal.Add(eventlog.Event{Kind: eventlog.BackoffFinished, Attempt: after})
		return nil
	case <-ctx.Done():
		return p.Stop.Tell(ctx)
	}
}
