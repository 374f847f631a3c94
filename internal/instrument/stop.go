package instrument

import (
	"context"
	"errors"
	"sync"
	"time"

	"github.com/deadlinelab/deadlinelab/internal/clock"
	"github.com/deadlinelab/deadlinelab/internal/eventlog"
	"github.com/deadlinelab/deadlinelab/internal/variants"
)

// Causes of a stop, as events name them.
const (
	CauseDeadline    = "operation_deadline"
	causeCaller      = "caller_deadline"
	causeCancel      = "external_cancel"
	causeCap         = eventlog.HardCap
	causeInterrupted = "interrupted"
)

// ErrAborted ends the operations that still run when the run is given up.
var ErrAborted = errors.New("the run was given up")

// Stop records the moments of one operation's end from outside: the deadline
// fired, and the operation's own code was told.
type Stop struct {
	Journal  *Journal
	Clock    clock.Clock
	fired    sync.Once
	observed sync.Once
}

// watch records deadline_fired as soon as ctx ends by the deadline of the variant
// or of its caller. It costs nothing when ctx ends otherwise.
func (s *Stop) watch(ctx context.Context) (release func() bool) {
	return context.AfterFunc(ctx, func() { s.note(ctx) })
}

func (s *Stop) note(ctx context.Context) {
	if cause := stopCause(ctx); cause == CauseDeadline || cause == causeCaller {
		at, _ := ctx.Deadline()
		s.Fire(at, cause)
	}
}

// Fire records deadline_fired once; whoever comes second waits for the first,
// so that nothing that follows from the deadline is recorded before it.
func (s *Stop) Fire(at time.Time, cause string) {
	s.fired.Do(func() {
		e := eventlog.Event{Kind: eventlog.DeadlineFired}
		if cause == causeCaller {
			e.Cause = cause
		}
		if !at.IsZero() {
			e.DueNs = s.Clock.Ns(at)
			e.LateMs = clock.InMs(time.Since(at))
		}
		s.Journal.Add(e)
	})
}

// Tell is called by an instrument that is about to return to the operation's
// code because ctx has ended, and gives it the error to return.
func (s *Stop) Tell(ctx context.Context) error {
	s.note(ctx)
	if cause := stopCause(ctx); cause != "" {
		s.observed.Do(func() { s.Journal.Add(eventlog.Event{Kind: eventlog.CancellationObserved, Cause: cause}) })
	}
	return variants.Stopped(ctx)
}

// stopCause names what ended ctx, if it was more than a limit of one attempt
// or the variant's own clean-up.
func stopCause(ctx context.Context) string {
	cause := context.Cause(ctx)
	for _, known := range []struct {
		err  error
		name string
	}{
		{variants.ErrOperationDeadline, CauseDeadline},
		{variants.ErrCallerDeadline, causeCaller},
		{variants.ErrCancelled, causeCancel},
		{variants.ErrCap, causeCap},
		{ErrAborted, causeInterrupted},
	} {
		if errors.Is(cause, known.err) {
			return known.name
		}
	}
	return ""
}
