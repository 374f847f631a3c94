package verdict

import (
	"fmt"
	"math"
	"slices"

	"github.com/deadlinelab/deadlinelab/internal/scenario"
	"github.com/deadlinelab/deadlinelab/internal/textui"
	"github.com/deadlinelab/deadlinelab/internal/timeline"
	"github.com/deadlinelab/deadlinelab/internal/wording"
)

// The window around an expected median, in milliseconds.
const (
	earlyMs     = 1.0  // clocks are read at slightly different places
	timerMs     = 5.0  // above, when a timer of the client ended the operation
	workMs      = 10.0 // above, when the upstream had to answer first …
	workShare   = 0.03 // … or this share, whichever is larger
	quietMs     = 5.0  // a noise floor whose p95 lies above makes durations undecidable
	unboundedMs = math.MaxFloat64

	leastForInterval = 6 // operations; below, a median has no interval, and lies outside with any one or two of them
)

// window is where a median may lie. Noise is what the machine can explain
// outside of it.
type window struct {
	low, high float64
	noise     float64
	unknown   bool // the run was too short for a single noise sample
}

// slack is how far below and above a plain number the median may lie.
type slack struct{ below, above float64 }

func newWindow(want scenario.Duration, s slack, floor *timeline.Quantiles) window {
	noise := wording.FloorP95(floor)
	if !want.IsWindow() {
		return window{low: want.Ms - s.below, high: want.Ms + s.above + noise, noise: noise, unknown: floor == nil}
	}
	w := window{low: -unboundedMs, high: unboundedMs, noise: noise, unknown: floor == nil}
	if want.MinMs != nil {
		w.low = *want.MinMs
	}
	if want.MaxMs != nil {
		w.high = *want.MaxMs + noise
	}
	return w
}

// distance is how far outside a median lies, not positive inside.
func (w window) distance(median float64) float64 { return math.Max(w.low-median, median-w.high) }

// judge places a median: outside the window it fails only when the machine was
// quiet and the distance is more than the noise explains. Noise can move a
// median only by moving half of the operations, so its p95 is the measure.
func (w window) judge(median float64, ci *[2]float64) (Verdict, string) {
	distance := w.distance(median)
	switch {
	case w.noise > quietMs && distance <= 0:
		return Inconclusive, fmt.Sprintf("inside, but deadlines on this machine were %.2f ms late (p95), so that the window says little: run it again when the machine is quiet", w.noise)
	case distance <= 0:
		return Pass, ""
	case w.unknown:
		return Inconclusive, fmt.Sprintf("outside by %.2f ms, but the run was too short to measure its noise floor: use more operations", distance)
	case w.noise > quietMs:
		return Inconclusive, fmt.Sprintf("outside by %.2f ms, but deadlines on this machine were %.2f ms late (p95): run it again when the machine is quiet", distance, w.noise)
	case distance <= w.noise:
		return Inconclusive, fmt.Sprintf("outside by %.2f ms, no more than the noise floor's p95 of %.2f ms", distance, w.noise)
	case ci != nil && ci[0] <= w.high && ci[1] >= w.low:
		return Inconclusive, fmt.Sprintf("outside by %.2f ms, but the 95 %% interval of the median reaches into the window", distance)
	}
	return Fail, fmt.Sprintf("outside by %.2f ms; the noise floor's p95 is %.2f ms", distance, w.noise)
}

// durations are the checks on medians in milliseconds.
func (e evidence) durations(want scenario.Expect) []Check {
	var list []Check
	if want.DurationMs != nil {
		list = append(list, e.duration(*want.DurationMs))
	}
	if want.FirstQuartileMs != nil {
		list = append(list, e.quartile("first_quartile_ms", *want.FirstQuartileMs, 25))
	}
	if want.ThirdQuartileMs != nil {
		list = append(list, e.quartile("third_quartile_ms", *want.ThirdQuartileMs, 75))
	}
	if want.OvershootMs != nil {
		s := slack{earlyMs, timerMs}
		c := e.quantile("overshoot_ms", *want.OvershootMs, s, e.series.OvershootMs)
		list = append(list, e.excuseStalls(c, overshootOf, newWindow(*want.OvershootMs, s, e.series.NoiseFloorMs)))
	}
	if want.CancelToReturnMs != nil {
		list = append(list, e.quantile("cancel_to_return_ms", *want.CancelToReturnMs, slack{earlyMs, timerMs}, e.series.CancelToReturnMs))
	}
	if want.WasteMs != nil {
		// Every earlier timer that was late shortens the waste by its lateness.
		late := timerMs + wording.FloorP95(e.series.NoiseFloorMs)
		list = append(list, e.quantile("waste_ms", *want.WasteMs, slack{late, timerMs}, e.waste()))
	}
	return list
}

// waste is zero, not unknown, where no operation wasted anything.
func (e evidence) waste() *timeline.Quantiles {
	if e.series.WasteMs == nil && !slices.Contains(e.series.Unreported, "waste_ms") {
		return &timeline.Quantiles{}
	}
	return e.series.WasteMs
}

// durationSlack is that of a duration, by what ended the operations.
func (e evidence) durationSlack(want scenario.Duration) slack {
	if e.timed {
		return slack{earlyMs, timerMs}
	}
	return slack{earlyMs, math.Max(workMs, workShare*want.Ms)}
}

func (e evidence) duration(want scenario.Duration) Check {
	w := newWindow(want, e.durationSlack(want), e.series.NoiseFloorMs)
	if d := e.series.JudgedMs(); d != nil && e.series.N > 0 {
		return e.excuseStalls(e.place("duration_ms", want, w, d.Median, d.CI95), durationOf, w)
	}
	return e.absent("duration_ms", want, w)
}

func (e evidence) quantile(name string, want scenario.Duration, s slack, q *timeline.Quantiles) Check {
	w := newWindow(want, s, e.series.NoiseFloorMs)
	if q != nil && e.series.N > 0 {
		return e.place(name, want, w, q.Median, nil)
	}
	return e.absent(name, want, w)
}

func (e evidence) place(name string, want scenario.Duration, w window, median float64, ci *[2]float64) Check {
	c := Check{Requirement: name, Expected: windowText(want, w), Actual: fmt.Sprintf("median %.2f", median)}
	if ci != nil {
		c.Actual += fmt.Sprintf(" [%.2f, %.2f]", ci[0], ci[1])
	}
	c.Verdict, c.Reason = w.judge(median, ci)
	if c.Verdict == Fail && e.series.N < leastForInterval {
		c.Verdict = Inconclusive
		c.Reason += fmt.Sprintf("; %s are too few for an interval, use at least %d", textui.CountOrNo(e.series.N, "operation"), leastForInterval)
	}
	return c
}

// absent is the check on a figure that no operation has.
func (e evidence) absent(name string, want scenario.Duration, w window) Check {
	if slices.Contains(e.series.Unreported, name) {
		return e.notReported(Check{Requirement: name, Expected: windowText(want, w)})
	}
	c := Check{Requirement: name, Expected: windowText(want, w), Actual: "no samples", Verdict: Inconclusive}
	c.Reason = "no valid operation has this figure"
	return c
}

// windowText is "1000 (999.00 to 1006.02)", or the bounds that were written.
func windowText(want scenario.Duration, w window) string {
	switch {
	case !want.IsWindow():
		return fmt.Sprintf("%g (%.2f to %.2f)", want.Ms, w.low, w.high)
	case want.MaxMs == nil:
		return fmt.Sprintf("at least %g", *want.MinMs)
	case want.MinMs == nil:
		return fmt.Sprintf("at most %g (to %.2f)", *want.MaxMs, w.high)
	}
	return fmt.Sprintf("%g to %g (to %.2f)", *want.MinMs, *want.MaxMs, w.high)
}
