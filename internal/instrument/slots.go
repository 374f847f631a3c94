package instrument

import (
	"context"

	"github.com/deadlinelab/deadlinelab/internal/eventlog"
	"github.com/deadlinelab/deadlinelab/internal/variants"
)

// Slots is a client's admission as one operation sees it. A nil queue means no
// admission: it costs nothing and records nothing.
type Slots struct {
	Journal *Journal
	Stop    *Stop
	Queue   chan struct{} // shared by the operations of one client; first come, first served
}

// Acquire waits for a slot. A context that has ended gets none, even when one is free.
func (s *Slots) Acquire(ctx context.Context) error {
	s.Stop.watch(ctx)
	if s.Queue == nil {
		return s.unlessEnded(ctx)
	}
	s.Journal.Add(eventlog.Event{Kind: eventlog.AdmissionWaitStarted})
	if err := s.unlessEnded(ctx); err != nil {
		return err
	}
	select {
	case s.Queue <- struct{}{}:
	case <-ctx.Done():
		return s.Stop.Tell(ctx)
	}
	if err := s.unlessEnded(ctx); err != nil {
		<-s.Queue
		return err
	}
	s.Journal.Add(eventlog.Event{Kind: eventlog.AdmissionAcquired})
	return nil
}

// TryAcquire takes a slot if one is free.
func (s *Slots) TryAcquire() bool {
	if s.Queue == nil {
		return true
	}
	s.Journal.Add(eventlog.Event{Kind: eventlog.AdmissionWaitStarted})
	select {
	case s.Queue <- struct{}{}:
		s.Journal.Add(eventlog.Event{Kind: eventlog.AdmissionAcquired})
		return true
	default:
		return false
	}
}

func (s *Slots) unlessEnded(ctx context.Context) error {
	if ctx.Err() == nil {
		return nil
	}
	return s.Stop.Tell(ctx)
}

// Release gives the slot back.
func (s *Slots) Release() {
	if s.Queue == nil {
		return
	}
	s.Journal.Add(eventlog.Event{Kind: eventlog.AdmissionReleased})
	<-s.Queue
}

var _ variants.Slots = (*Slots)(nil)
