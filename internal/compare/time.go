package compare

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"github.com/deadlinelab/deadlinelab/internal/eventlog"
	"github.com/deadlinelab/deadlinelab/internal/timeline"
)

// The figures that a time is compared by.
const (
	duration  = "duration_ms"  // ended before the deadline
	overshoot = "overshoot_ms" // past it: what counts is by how much
)

// Time compares how long the operations of one outcome took. Milliseconds.
type Time struct {
	Outcome    eventlog.Outcome `json:"outcome"`
	Figure     string           `json:"figure"`
	Old        Sample           `json:"old"`
	New        Sample           `json:"new"`
	Difference float64          `json:"difference_ms"` // of the medians, new minus old
	Interval   *[2]float64      `json:"interval_ms"`   // holds the true difference with Level; null with fewer than 6 on a side
	Level      *float64         `json:"level"`
	Margin     Margin           `json:"margin"`
	Verdict    Verdict          `json:"verdict"`
	Reason     string           `json:"reason"`
}

// Sample is one side of a Time. CI95 is null for fewer than 6 operations.
type Sample struct {
	N      int         `json:"n"`
	Median float64     `json:"median_ms"`
	CI95   *[2]float64 `json:"ci95_ms"`
}

// Margin is the difference below which nothing is said, and what made it that
// large: absolute, relative, noise, or startup, how much the start-ups vary that
// times are net of.
type Margin struct {
	Ms   float64 `json:"ms"`
	From string  `json:"from"`
}

// times compares the outcomes that both sides have often enough for an
// interval, and the commonest one in any case.
func (j *judge) times(old, new []*timeline.Operation, attemptsChanged bool, startups float64) []Time {
	list := []Time{}
	before, after := byOutcome(old), byOutcome(new)
	common := commonest(before, after)
	for _, o := range eventlog.Outcomes {
		a, b := before[o], after[o]
		least := min(len(a), len(b))
		if least >= leastForInterval || o == common && least > 0 {
			list = append(list, j.time(o, a, b, attemptsChanged, startups))
		}
	}
	return list
}

func byOutcome(ops []*timeline.Operation) map[eventlog.Outcome][]*timeline.Operation {
	groups := map[eventlog.Outcome][]*timeline.Operation{}
	for _, op := range ops {
		groups[op.Outcome] = append(groups[op.Outcome], op)
	}
	return groups
}

func commonest(a, b map[eventlog.Outcome][]*timeline.Operation) eventlog.Outcome {
	return slices.MaxFunc(eventlog.Outcomes, func(x, y eventlog.Outcome) int {
		return cmp.Compare(len(a[x])+len(b[x]), len(a[y])+len(b[y]))
	})
}

func (j *judge) time(o eventlog.Outcome, old, new []*timeline.Operation, attemptsChanged bool, startups float64) Time {
	figure, a, b := figureOf(old, new)
	s := between(a, b)
	t := Time{Outcome: o, Figure: figure, Old: sample(a), New: sample(b), Difference: round(s.difference, 2)}
	margin, from := j.margin(s.before, s.after)
	if startups > margin {
		margin, from = startups, "startup"
	}
	t.Margin = Margin{Ms: round(margin, 2), From: from}
	if s.known {
		level := math.Floor(s.level*1e4) / 1e4
		t.Interval, t.Level = &[2]float64{round(s.low, 2), round(s.high, 2)}, &level
	}
	failed := o != eventlog.Success
	if failed && attemptsChanged {
		t.Verdict, t.Reason = Changed, "attempts changed, and the time of a failure follows them: not compared"
		return t
	}
	t.Verdict, t.Reason = s.verdict(margin)
	if t.Verdict == Better && failed && figure == duration {
		t.Verdict, t.Reason = Sooner, "the same failure came sooner: that is not faster"
	}
	return t
}

// figureOf chooses the figure: where either side's median lies past the
// deadline it is the overshoot, which a relative margin of the whole duration
// would hide.
func figureOf(old, new []*timeline.Operation) (figure string, a, b []float64) {
	a, b = overshoots(old), overshoots(new)
	before, _ := timeline.Median(a)
	after, _ := timeline.Median(b)
	if max(before, after) > 0 {
		return overshoot, a, b
	}
	return duration, durations(old), durations(new)
}

func overshoots(ops []*timeline.Operation) []float64 {
	list := make([]float64, len(ops))
	for i, op := range ops {
		list[i] = op.Overshoot
	}
	return list
}

func durations(ops []*timeline.Operation) []float64 {
	list := make([]float64, len(ops))
	for i, op := range ops {
		list[i] = op.JudgedMs()
	}
	return list
}

func sample(values []float64) Sample {
	list := sorted(values)
	median, _ := timeline.Median(list)
	s := Sample{N: len(list), Median: round(median, 2)}
	if low, high, ok := timeline.MedianRanks(len(list)); ok {
		s.CI95 = &[2]float64{round(list[low-1], 2), round(list[high-1], 2)}
	}
	return s
}

// margin is the largest of what is allowed in milliseconds, in percent of the
// smaller median, and of how late deadlines were in either run.
func (j *judge) margin(old, new float64) (ms float64, from string) {
	ms, from = j.options.MarginMs, "absolute"
	if relative := min(math.Abs(old), math.Abs(new)) * j.options.MarginPercent / 100; relative > ms {
		ms, from = relative, "relative"
	}
	if j.noise > ms {
		ms, from = j.noise, "noise"
	}
	return ms, from
}

// verdict needs the whole interval beyond the margin for a difference, and the
// whole interval within it for none.
func (s shift) verdict(margin float64) (Verdict, string) {
	switch {
	case !s.known:
		return Inconclusive, fmt.Sprintf("fewer than %d operations on a side have no interval", leastForInterval)
	case s.low > margin:
		return Worse, ""
	case s.high < -margin:
		return Better, ""
	case s.low >= -margin && s.high <= margin:
		return Same, ""
	}
	return Inconclusive, "the interval reaches over the margin: measure more operations"
}
