package verdict

import (
	"fmt"
	"math"

	"github.com/deadlinelab/deadlinelab/internal/eventlog"
	"github.com/deadlinelab/deadlinelab/internal/timeline"
)

const (
	leastStallMs   = 10.0  // what is shorter is the noise floor's matter
	turningStallMs = 100.0 // what it takes to turn an outcome or a count
)

// A stall that hits every operation of a series at once moves its median with
// it: no operation is off, none is disturbed. Only the expectation shows it.

// stalled is how many operations are off, and how many of these a stall of the
// machine explains.
type stalled struct {
	off, explained int
	longestMs      float64
}

// stalled asks for every operation how long a stall it takes; 0 = it is not off.
func (e evidence) stalled(takes func(*timeline.Operation) float64) (s stalled) {
	for _, o := range e.operations {
		least := takes(o)
		if least <= 0 {
			continue
		}
		s.off++
		if o.StallMs >= max(least, leastStallMs) {
			s.explained++
			s.longestMs = max(s.longestMs, o.StallMs)
		}
	}
	return s
}

// half of a deviation is enough: a machine that stalls once delays the next
// steps as well.
func half(off float64) float64 { return off / 2 }

// lateness is what it takes to end this far after what still counts as in time.
func (e evidence) lateness(o *timeline.Operation) float64 {
	if !o.Late || o.Promise == timeline.Unbounded {
		return 0
	}
	return half(o.Overshoot - e.series.MarginMs)
}

// excused turns a failure into inconclusive when stalls explain it.
func (s stalled) excused(c Check, enough bool) Check {
	if c.Verdict == Fail && enough && s.explained > 0 {
		c.Verdict = Inconclusive
		c.Reason = fmt.Sprintf("a stall of the machine, %.2f ms long, explains %d of the %d operations that are off: run it again when the machine is quiet", s.longestMs, s.explained, s.off)
	}
	return c
}

// late excuses lateness, if no late operation is without a stall and nothing
// but lateness is at stake.
func (e evidence) late(c Check, wanted bool) Check {
	s := e.stalled(e.lateness)
	return e.outnumbered(s.excused(c, wanted && s.explained == s.off), wanted)
}

// outnumbered doubts lateness where the machine disturbed more operations than
// it left: what delayed those by much has delayed their neighbours by a little.
func (e evidence) outnumbered(c Check, onlyLate bool) Check {
	s := e.series
	if c.Verdict == Fail && onlyLate && s.Disturbed > s.N && s.Promise[string(timeline.Unbounded)] == 0 && !e.laterThanNoise() {
		c.Verdict = Inconclusive
		c.Reason = fmt.Sprintf("stalls of the machine disturbed %d operations and left %d: run it again when the machine is quiet", s.Disturbed, s.N)
	}
	return c
}

// laterThanNoise tells whether most of the operations ended later than any
// deadline of the run can make them: no delay of a neighbour is that long.
func (e evidence) laterThanNoise() bool {
	s := e.series
	return s.OvershootMs != nil && s.NoiseFloorMs != nil && s.OvershootMs.Median > s.MarginMs+s.NoiseFloorMs.Max
}

// excuseStalls excuses a median outside its window, if it would not lie there without
// the operations that stalls explain.
func (e evidence) excuseStalls(c Check, figure func(*timeline.Operation) float64, w window) Check {
	s := e.stalled(func(o *timeline.Operation) float64 { return half(figure(o) - w.high) })
	return s.excused(c, 2*(s.off-s.explained) < e.series.N)
}

// excuseOutcome excuses another outcome, count or flag, if every operation that has
// one has a long stall, which also explains how late it ended. Nothing excuses
// the hard cap.
func (e evidence) excuseOutcome(c Check, holds func(*timeline.Operation) bool) Check {
	s := e.stalled(func(o *timeline.Operation) float64 {
		switch {
		case holds(o):
			return 0
		case o.Outcome == eventlog.CapReached:
			return math.Inf(1)
		}
		return max(turningStallMs, e.lateness(o))
	})
	return s.excused(c, s.explained == s.off)
}

func durationOf(o *timeline.Operation) float64  { return o.JudgedMs() }
func overshootOf(o *timeline.Operation) float64 { return o.Overshoot }

// byCell are the operations that the figures of each cell are made of.
func byCell(operations []*timeline.Operation) map[Cell][]*timeline.Operation {
	in := map[Cell][]*timeline.Operation{}
	for _, o := range operations {
		if o.Phase == eventlog.Measured && Counted(o) {
			c := Cell{o.Scenario, o.Variant}
			in[c] = append(in[c], o)
		}
	}
	return in
}
