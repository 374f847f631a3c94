package verdict

import (
	"fmt"

	"github.com/deadlinelab/deadlinelab/internal/scenario"
	"github.com/deadlinelab/deadlinelab/internal/textui"
	"github.com/deadlinelab/deadlinelab/internal/timeline"
)

// quartile judges where a part of the durations lies: a median alone cannot tell
// durations that are spread by design from those that all are alike.
func (e evidence) quartile(name string, want scenario.Duration, percent float64) Check {
	w := newWindow(want, e.durationSlack(want), e.series.NoiseFloorMs)
	var durations []float64
	for _, o := range e.operations {
		durations = append(durations, durationOf(o))
	}
	q, known := timeline.NearestRank(durations, percent)
	if !known {
		return e.absent(name, want, w)
	}
	c := Check{Requirement: name, Expected: windowText(want, w), Actual: fmt.Sprintf("%.2f", q)}
	c.Verdict, c.Reason = w.judge(q, nil)
	if c.Verdict == Fail && e.series.N < leastForInterval {
		c.Verdict = Inconclusive
		c.Reason += fmt.Sprintf("; %s are too few for a quartile, use at least %d", textui.CountOrNo(e.series.N, "operation"), leastForInterval)
	}
	return c
}
