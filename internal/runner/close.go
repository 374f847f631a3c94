package runner

import (
	"context"
	"fmt"
	"time"

	"github.com/deadlinelab/deadlinelab/internal/control"
)

const (
	quietGap         = 20 * time.Millisecond // between two looks at the server's handlers
	drainWithin      = 5 * time.Second       // without an event, after an experiment was closed
	settleAfterAbort = time.Second           // instead of Config.Settle when the run was given up
	deleteWithin     = 10 * time.Second
)

// close waits for the server's handlers, closes the experiments, collects
// their tallies and the rest of their events, and flushes the log.
func (r *run) close() (*Result, error) {
	defer close(r.over)
	answers := !isLost(r.reason())
	if answers {
		r.awaitHandlers()
		answers = r.closeExperiments()
	}
	r.endStreams()
	for _, x := range r.order {
		<-x.drained
	}
	if answers {
		r.realignClocks()
	}
	err := r.reason()
	if r.result.Interrupted {
		err = nil
	}
	if failed := r.log.close(); failed != nil && err == nil {
		err = fmt.Errorf("the server's log could not be written: %w; free some space and run again", failed)
	}
	return &r.result, err
}

func isLost(err error) bool {
	_, lost := err.(*ServerLost)
	return lost
}

// awaitHandlers waits until no handler runs any more, within bounds.
func (r *run) awaitHandlers() {
	within := r.cfg.Settle
	if r.reason() != nil {
		within = min(within, settleAfterAbort)
	}
	ctx, cancel := context.WithTimeout(context.Background(), within)
	defer cancel()
	for _, x := range r.order {
		for due := time.Now(); r.busy(ctx, x); {
			due = due.Add(quietGap)
			if sleepUntil(ctx, due) != nil {
				return
			}
		}
	}
}

// busy tells whether handlers of the experiment still run; a server that does
// not answer has none that could be waited for.
func (r *run) busy(ctx context.Context, x *experiment) bool {
	known, err := r.control.Experiment(ctx, x.name)
	return err == nil && known.Busy > 0
}

// closeExperiments tells whether labserver answered to the end: one that does
// not is not asked again for every experiment.
func (r *run) closeExperiments() bool {
	for _, x := range r.order {
		if err := r.closeExperiment(x); isLost(err) {
			return false
		}
	}
	return true
}

// closeExperiment ends the experiment and reads its events to the last one.
func (r *run) closeExperiment(x *experiment) error {
	ctx, cancel := context.WithTimeoutCause(context.Background(), deleteWithin, fmt.Errorf("no answer within %s", deleteWithin))
	defer cancel()
	x.closing.Store(true)
	tally, err := r.control.Delete(ctx, x.name)
	if err != nil {
		err = lostBy(fmt.Errorf("experiment %s could not be closed: %w", x.name, err))
		r.abandon(err)
		return err
	}
	r.result.Tallies = append(r.result.Tallies, tally)
	r.result.Busy = append(r.result.Busy, tally.Busy...)
	r.drain(x, tally)
	return nil
}

// drain reads on for as long as events come, however many there are. Labserver
// has just answered: what is missing then is its stream's fault, not its end.
func (r *run) drain(x *experiment, tally control.Tally) {
	why := x.readOn()
	if last := x.lastSeq.Load(); last < tally.LastSeq {
		r.abandon(fmt.Errorf("experiment %s: %d of its %d events arrived: %w; what was measured is kept", x.name, last, tally.LastSeq, why))
	}
}

// readOn returns when the stream has ended, or has brought nothing for too long,
// and why nothing more comes.
func (x *experiment) readOn() error {
	for last := x.lastSeq.Load(); ; {
		select {
		case <-x.drained:
			return fmt.Errorf("labserver's event stream ended: %w", x.ended)
		case <-time.After(drainWithin):
		}
		now := x.lastSeq.Load()
		if now == last {
			return fmt.Errorf("labserver answers, but its event stream brought nothing for %s", drainWithin)
		}
		last = now
	}
}
