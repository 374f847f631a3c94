package timeline

import (
	"fmt"

	"github.com/deadlinelab/deadlinelab/internal/eventlog"
)

// Who stopped an operation.
const (
	ByDeadline = "deadline" // its own, or its caller's
	ByCancel   = "cancel"   // its caller
	ByCap      = "cap"      // the bench's hard cap
)

// stop finds the four moments: requested or fired, observed by the operation's
// code, control back with the caller, last handler finished.
func (d *builder) stop(bound int64) *Stop {
	by, at := d.stoppedBy()
	if by == "" || at > d.end {
		return nil
	}
	s := &Stop{By: by, RequestedMs: millis(at - d.t0), ReturnedMs: millis(d.end - d.t0)}
	if d.sawObserved {
		s.ObservedMs = new(millis(d.observed - d.t0))
	}
	s.ServerDoneMs = d.serverDone(at, bound)
	return s
}

// stoppedBy prefers the request that the outcome names; a stop that something
// else overtook, such as a failure, counts by the first request.
func (d *builder) stoppedBy() (by string, at int64) {
	switch {
	case d.op.Outcome == eventlog.CapReached && d.capped == nil:
		return ByCap, d.end
	case d.op.Outcome == eventlog.CapReached:
		return ByCap, happened(d.capped)
	case d.asked != nil && (d.fired == nil || d.op.Outcome == eventlog.Cancelled || d.op.Outcome != eventlog.DeadlineExceeded && before(d.asked, d.fired)):
		return ByCancel, happened(d.asked)
	case d.fired != nil:
		return ByDeadline, d.firedAt()
	}
	return "", 0
}

// firedAt is when the deadline fired. Its event is written by a goroutine of its
// own, which may come after the code that the deadline ended: it cannot have
// fired later than it was observed.
func (d *builder) firedAt() int64 {
	t := happened(d.fired)
	if d.op.Outcome != eventlog.DeadlineExceeded {
		return t
	}
	if d.sawObserved {
		t = min(t, d.observed)
	}
	return min(t, d.end)
}

// serverDone is nil while a handler still runs, without any exchange, and when
// the gap to what the client did is narrower than the clocks are known.
func (d *builder) serverDone(requested, bound int64) *float64 {
	done, any := int64(0), false
	for i := range d.exchanges {
		x := &d.exchanges[i]
		if !x.ended {
			d.reason("server_done_ms is unknown: the handler of exchange %d has no end in the log", x.N)
			return nil
		}
		done, any = max(done, x.end), true
	}
	if !any {
		return nil
	}
	if near(done, d.end, bound) || near(done, requested, bound) {
		d.reason("server_done_ms is unknown: the gap is narrower than the clock bound of ±%.3f ms", millis(bound))
		return nil
	}
	return new(millis(done - d.t0))
}

func near(a, b, bound int64) bool { return max(a-b, b-a) < bound }

func (d *builder) reason(format string, args ...any) {
	d.op.Reasons = append(d.op.Reasons, fmt.Sprintf(format, args...))
}
