package runner

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
	causeDeadline    = "operation_deadline"
	causeCaller      = "caller_deadline"
	causeCancel      = "external_cancel"
	causeCap         = eventlog.HardCap
	causeInterrupted = "interrupted"
)

// errAborted ends the operations that still run when the run is given up.
var errAborted = errors.New("the run was given up")

// stop records the moments of one operation's end from outside: the deadline
// fired, and the operation's own code was told.
type stop struct {
	journal  *journal
	clock    clock.Clock
	fired    sync.Once
	observed sync.Once
}

// watch records deadline_fired as soon as ctx ends by the deadline of the variant
// or of its caller. It costs nothing when ctx ends otherwise.
func (s *stop) watch(ctx context.Context) (release func() bool) {
	return context.AfterFunc(ctx, func() { s.note(ctx) })
}

func (s *stop) note(ctx context.Context) {
	if cause := stopCause(ctx); cause == causeDeadline || cause == causeCaller {
		at, _ := ctx.Deadline()
		s.fire(at, cause)
	}
}

// fire records deadline_fired once; whoever comes second waits for the first,
// so that nothing that follows from the deadline is recorded before it.
func (s *stop) fire(at time.Time, cause string) {
	s.fired.Do(func() {
		e := eventlog.Event{Kind: eventlog.DeadlineFired}
		if cause == causeCaller {
			e.Cause = cause
		}
		if !at.IsZero() {
			e.DueNs = s.clock.Ns(at)
			e.LateMs = inMs(time.Since(at))
		}
		s.journal.add(e)
	})
}

// tell is called by an instrument that is about to return to the operation's
// code because ctx has ended, and gives it the error to return.
func (s *stop) tell(ctx context.Context) error {
	s.note(ctx)
	if cause := stopCause(ctx); cause != "" {
		s.observed.Do(func() { s.journal.add(eventlog.Event{Kind: eventlog.CancellationObserved, Cause: cause}) })
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
		{variants.ErrOperationDeadline, causeDeadline},
		{variants.ErrCallerDeadline, causeCaller},
		{variants.ErrCancelled, causeCancel},
		{variants.ErrCap, causeCap},
		{errAborted, causeInterrupted},
	} {
		if errors.Is(cause, known.err) {
			return known.name
		}
	}
	return ""
}
