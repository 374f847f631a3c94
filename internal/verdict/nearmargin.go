package verdict

import (
	"fmt"
	"math"

	"github.com/deadlinelab/deadlinelab/internal/eventlog"
	"github.com/deadlinelab/deadlinelab/internal/timeline"
)

// grazingShare is how many operations may end just outside the margin before a
// series fails: twice what the margin's own definition lets through.
const grazingShare = 0.02

// nearMargin spares a series from failing over a few operations that ended just
// outside the margin, where nothing but lateness is at stake: the margin is the
// p99 of the noise floor, so one in a hundred timers is beyond it, and not every
// stall is caught by a sample.
func (e evidence) nearMargin(c Check, onlyLate bool) Check {
	s := e.series
	few := s.Late <= int(math.Ceil(grazingShare*float64(s.N)))
	if c.Verdict != Fail || !onlyLate || !few || s.OvershootMs == nil || s.NoiseFloorMs == nil {
		return c
	}
	most := s.OvershootMs.Max
	ended := fmt.Sprintf("%d of %d ended at most %.2f ms after the deadline, which", s.Late, s.N, most)
	switch {
	case most <= s.MarginMs+s.NoiseFloorMs.Max:
		c.Verdict = Inconclusive
		c.Reason = fmt.Sprintf("%s the noise floor (max %.2f ms) explains: run it again when the machine is quiet", ended, s.NoiseFloorMs.Max)
	case s.Client == eventlog.ExecClient && most <= s.MarginMs+e.lenient():
		c.Verdict = Inconclusive
		c.Reason = ended + " the start or the end of a process can take now and then: run it again when the machine is quiet, or write an adapter"
	}
	return c
}

// lenient is how much longer than usual one process of many may take to start
// and to end without a noise sampler seeing why: a page that has to be read, a
// processor that the hypervisor took away.
func (e evidence) lenient() float64 {
	if len(e.operations) == 0 {
		return 0
	}
	return timeline.Lenient(e.operations[0].BudgetMs) // a scenario has one budget
}
