package adapter

import (
	"context"
	"time"
)

// BackoffStarted reports that a pause of d begins, as it begins: for a library
// that pauses by itself and tells so beforehand.
func (s *Session) BackoffStarted(d time.Duration) {
	if s == nil {
		return
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.pausing = true
	s.report(Event{Event: BackoffStarted, Attempt: len(s.attempts), PlannedMs: float64(d) / float64(time.Millisecond)})
}

// BackoffFinished reports that the pause was slept to its end. The next
// attempt reports it if nobody else has.
func (s *Session) BackoffFinished() {
	if s == nil {
		return
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.finishPause()
}

// finishPause needs mu.
func (s *Session) finishPause() {
	if s.pausing {
		s.pausing = false
		s.report(Event{Event: BackoffFinished, Attempt: len(s.attempts)})
	}
}

// Pause is a pause between two attempts: it ends after d, or with
// context.Cause(ctx) when ctx ends. A pause of nothing is none.
func (s *Session) Pause(ctx context.Context, d time.Duration) error {
	if err := s.Observed(ctx); err != nil || d <= 0 {
		return err
	}
	timer := time.NewTimer(d)
	defer timer.Stop()
	s.BackoffStarted(d)
	select {
	case <-timer.C:
		s.BackoffFinished()
		return nil
	case <-ctx.Done():
		return s.Observed(ctx)
	}
}
