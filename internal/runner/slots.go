package runner

import (
	"context"

	"github.com/deadlinelab/deadlinelab/internal/eventlog"
	"github.com/deadlinelab/deadlinelab/internal/variants"
)

// slots is a client's admission as one operation sees it. A nil queue means no
// admission: it costs nothing and records nothing.
type slots struct {
	journal *journal
	stop    *stop
	queue   chan struct{} // shared by the operations of one client; first come, first served
}

// Acquire waits for a slot. A context that has ended gets none, even when one is free.
func (s *slots) Acquire(ctx context.Context) error {
	s.stop.watch(ctx)
	if s.queue == nil {
		return s.unlessEnded(ctx)
	}
	s.journal.add(eventlog.Event{Kind: eventlog.AdmissionWaitStarted})
	if err := s.unlessEnded(ctx); err != nil {
		return err
	}
	select {
	case s.queue <- struct{}{}:
	case <-ctx.Done():
		return s.stop.tell(ctx)
	}
	if err := s.unlessEnded(ctx); err != nil {
		<-s.queue
		return err
	}
	s.journal.add(eventlog.Event{Kind: eventlog.AdmissionAcquired})
	return nil
}

// TryAcquire takes a slot if one is free.
func (s *slots) TryAcquire() bool {
	if s.queue == nil {
		return true
	}
	s.journal.add(eventlog.Event{Kind: eventlog.AdmissionWaitStarted})
	select {
	case s.queue <- struct{}{}:
		s.journal.add(eventlog.Event{Kind: eventlog.AdmissionAcquired})
		return true
	default:
		return false
	}
}

func (s *slots) unlessEnded(ctx context.Context) error {
	if ctx.Err() == nil {
		return nil
	}
	return s.stop.tell(ctx)
}

// Release gives the slot back.
func (s *slots) Release() {
	if s.queue == nil {
		return
	}
	s.journal.add(eventlog.Event{Kind: eventlog.AdmissionReleased})
	<-s.queue
}

var _ variants.Slots = (*slots)(nil)
