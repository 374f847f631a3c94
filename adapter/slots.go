package adapter

import "context"

// Acquire waits for one of the client's slots, which op.Slots counts; without
// admission it returns at once. A context that has ended gets none, even when
// one is free: the error is context.Cause(ctx).
func (s *Session) Acquire(ctx context.Context) error {
	if s == nil || s.slots == nil {
		return s.Observed(ctx)
	}
	s.reportNow(Event{Event: AdmissionWaitStarted})
	if err := s.Observed(ctx); err != nil {
		return err
	}
	if err := s.acquire(ctx, 1); err != nil {
		return err
	}
	s.acquired(1)
	if err := s.Observed(ctx); err != nil {
		s.Release()
		return err
	}
	return nil
}

// acquire waits for n slots.
func (s *Session) acquire(ctx context.Context, n int) error {
	for taken := range n {
		select {
		case s.slots <- struct{}{}:
		case <-ctx.Done():
			for range taken {
				<-s.slots
			}
			return s.Observed(ctx)
		}
	}
	return nil
}

// acquired reports n slots as one admission.
func (s *Session) acquired(n int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.holding += n
	s.report(Event{Event: AdmissionAcquired})
}

// Release gives the slot back. What a call still holds when it returns is
// given back for it.
func (s *Session) Release() {
	if s == nil {
		return
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.holding > 0 {
		s.release()
	}
}

// release needs mu.
func (s *Session) release() {
	s.report(Event{Event: AdmissionReleased})
	for ; s.holding > 0; s.holding-- {
		<-s.slots
	}
}

func (s *Session) reportNow(e Event) {
	if s == nil {
		return
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.report(e)
}
