package labserver

import (
	"time"

	"github.com/deadlinelab/deadlinelab/internal/fault"
)

// until waits for the absolute instant due, never less. It returns early when
// left is closed (nil = never) or the experiment ends.
func (x *experiment) until(due time.Time, left <-chan struct{}) error {
	if err := x.interrupted(left); err != nil {
		return err
	}
	wait := time.Until(due)
	if wait <= 0 {
		return nil
	}
	x.nudge.At(due)
	timer := time.NewTimer(time.Until(due))
	defer timer.Stop()
	select {
	case <-timer.C:
		return nil
	case <-left:
		return fault.ErrClientGone
	case <-x.ended:
		return fault.ErrClosed
	}
}

func (x *experiment) interrupted(left <-chan struct{}) error {
	select {
	case <-x.ended:
		return fault.ErrClosed
	default:
	}
	select {
	case <-left:
		return fault.ErrClientGone
	default:
		return nil
	}
}
