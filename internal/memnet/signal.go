package memnet

import "time"

// signal wakes everybody who waits for a state to change. Its owner's mutex
// guards it, and is not held while waiting.
type signal struct{ changed chan struct{} }

// next is closed at the next announce.
func (s *signal) next() <-chan struct{} {
	if s.changed == nil {
		s.changed = make(chan struct{})
	}
	return s.changed
}

func (s *signal) announce() {
	if s.changed != nil {
		close(s.changed)
		s.changed = nil
	}
}

// await returns at the change or at the deadline; a zero deadline never comes.
func await(change <-chan struct{}, deadline time.Time) {
	if deadline.IsZero() {
		<-change
		return
	}
	timer := time.NewTimer(time.Until(deadline))
	defer timer.Stop()
	select {
	case <-change:
	case <-timer.C:
	}
}

func passed(deadline time.Time) bool { return !deadline.IsZero() && !time.Now().Before(deadline) }
