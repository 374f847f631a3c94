package timeline

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/deadlinelab/deadlinelab/internal/eventlog"
)

// The injector is on time while its lateness stays below the larger of the two:
// a fixed one and a multiple of its median in this run.
const (
	injectorLateMs    = 5.0
	injectorLateTimes = 10
)

// judgeValidity decides for every operation whether its fault is proven to have
// fired, on time, with no event missing.
func (r *Run) judgeValidity() {
	broken, helpers, ends := r.brokenOperations(), r.helpers(), r.cutLogs()
	limit, last := r.injectorLimit(), lastInstant(r.from[server], r.in.OffsetNs)
	for _, d := range r.builders {
		if d.op == nil {
			continue
		}
		reasons := d.faultReasons(limit, r.in.BoundNs, last)
		for _, h := range helpers[cmp.Or(d.op.Group, d.id)] {
			reasons = append(reasons, d.helperReasons(h, limit)...)
			if p := broken[h.id]; p.Requirement == ServerHolds {
				reasons = append(reasons, fmt.Sprintf("its helper %s: found %s, expected %s", h.id, p.Found, p.Expected))
			}
		}
		reasons = append(reasons, d.clientReasons()...)
		if r.broken[""] || r.broken[d.op.Scenario] {
			reasons = append(reasons, "events are missing from a log of its run")
		}
		if end, cut := ends[d.op.Scenario]; cut && d.op.Finished && d.end+r.in.BoundNs > end {
			reasons = append(reasons, "it ended after the log of its server, which was cut off")
		}
		if p, is := broken[d.id]; is {
			reasons = append(reasons, fmt.Sprintf("%s: found %s, expected %s", p.Requirement, p.Found, p.Expected))
		}
		d.op.Valid = len(reasons) == 0
		d.op.Reasons = append(reasons, d.op.Reasons...)
	}
}

// helpers lists the helpers of each operation, and of each group by its name:
// what they hold is part of the fault.
func (r *Run) helpers() map[string][]*builder {
	helpers := map[string][]*builder{}
	for _, d := range r.builders {
		if d.op == nil || d.op.Phase != eventlog.Helper || d.op.For == "" {
			continue
		}
		serves := d.op.For
		if of := r.Operation(serves); of != nil && of.Group != "" {
			serves = of.Group
		}
		helpers[serves] = append(helpers[serves], d)
	}
	return helpers
}

// helperReasons: what a helper was to do while the operation waited came late or
// never. What was due after the operation's end held nobody up.
func (d *builder) helperReasons(h *builder, limitMs float64) (reasons []string) {
	if h.unscripted || h.expired != "" {
		reasons = append(reasons, "its helper "+h.id+" did not hold as scripted")
	}
	for i := range h.exchanges {
		for _, f := range append(h.exchanges[i].gates, h.exchanges[i].fires...) {
			if f.due < d.t0 || d.op.Finished && f.due > d.end {
				continue
			}
			d.op.faultLate(new(milli(f.lateMs)))
			if f.lateMs > limitMs {
				reasons = append(reasons, fmt.Sprintf("what its helper %s held was released %.3f ms late, more than %.3f", h.id, f.lateMs, limitMs))
			}
		}
	}
	return reasons
}

func (r *Run) brokenOperations() map[string]Problem {
	broken := map[string]Problem{}
	for _, p := range r.Problems {
		if _, known := broken[p.Op]; !known && p.Op != "" {
			broken[p.Op] = p
		}
	}
	return broken
}

func (r *Run) injectorLimit() float64 {
	var late []float64
	for _, d := range r.builders {
		for i := range d.exchanges {
			for _, f := range d.exchanges[i].fires {
				late = append(late, f.lateMs)
			}
		}
	}
	slices.Sort(late)
	median, _ := Median(late)
	return max(injectorLateMs, injectorLateTimes*median)
}

// lastInstant is when a side's logs end: what was due later was cut off by the
// end of the run.
func lastInstant(events Events, offset int64) int64 {
	last := -farthest
	for i := range events.Len() {
		_, tNs := events.Place(i)
		last = max(last, instant(tNs)+offset)
	}
	return last
}

// cutLogs is when the server's log of a scenario ends, for those that just stop:
// what the server did afterwards, and how often it was asked, is not known. A
// server that was told to end breaks off what it serves before its log stops.
func (r *Run) cutLogs() map[string]int64 {
	ends := map[string]int64{}
	if !r.in.Cut {
		return ends
	}
	for _, c := range r.Planned {
		ends[c.Scenario] = -farthest
	}
	for _, s := range r.server {
		name := r.scenarioOf(s)
		if slices.ContainsFunc(r.in.Tallies, func(t Tally) bool { return t.Side == sides[server] && t.Experiment == s.exp }) {
			delete(ends, name)
		} else if n := len(s.order); n > 0 {
			_, tNs := r.from[server].Place(int(r.lastServed(s)))
			ends[name] = instant(tNs) + r.in.OffsetNs
		}
	}
	return ends
}

// lastServed is the place of the event with which the server ended the stream,
// or of the stream's last.
func (r *Run) lastServed(s stream) int32 {
	for _, at := range s.order {
		if r.from[server].Kind(int(at)) == eventlog.ExperimentEnded {
			return at
		}
	}
	return s.order[len(s.order)-1]
}

func (d *builder) faultReasons(limitMs float64, bound, logEnd int64) (reasons []string) {
	if d.unscripted {
		reasons = append(reasons, "the server had no script for one of its requests")
	}
	if d.expired != "" {
		reasons = append(reasons, "gate "+d.expired+" expired before it was released")
	}
	tolerance := nanoseconds(limitMs) + bound
	for i := range d.exchanges {
		x := &d.exchanges[i]
		left := d.left(x)
		if x.armed && min(left, logEnd) > x.due+tolerance {
			reasons = append(reasons, fmt.Sprintf("the fault of exchange %d was armed for %.3f ms and never fired", x.N, *x.FaultDueMs))
		}
		if late := x.decidedLate(left, limitMs); late > 0 {
			reasons = append(reasons, fmt.Sprintf("the fault of exchange %d fired %.3f ms late, more than %.3f", x.N, late, limitMs))
		}
	}
	return reasons
}

// decidedLate is the lateness that decided how the exchange went on, 0 if none
// did: the client was still there when the fault had been due for the limit, and
// no later fire caught up with the schedule, which is absolute, before it left.
func (x *exchange) decidedLate(left int64, limitMs float64) (ms float64) {
	for _, f := range x.fires {
		switch {
		case f.lateMs > limitMs && left > f.due+nanoseconds(limitMs):
			ms = max(ms, f.lateMs)
		case f.lateMs <= limitMs && f.due <= left:
			ms = 0
		}
	}
	return ms
}

// left is when the client had left an exchange, by either side's account:
// afterwards nothing is owed to it.
func (d *builder) left(x *exchange) int64 {
	left := farthest
	if x.sawGone {
		left = x.gone
	}
	if x.assigned != nobodyAttempt {
		return min(left, d.attempts[x.assigned].to)
	}
	if d.op.Finished {
		return min(left, d.end)
	}
	return left
}

// counted tells whether an operation is in its series, but for disturbance.
func counted(op *Operation) bool {
	return op.Phase == eventlog.Measured && op.Finished && op.Valid
}
