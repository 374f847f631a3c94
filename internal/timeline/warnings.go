package timeline

import (
	"fmt"
	"slices"
	"strings"

	"github.com/deadlinelab/deadlinelab/internal/eventlog"
)

// Beyond these a series or a machine deserves a warning.
const (
	smallN       = 30
	spreadTimes  = 3   // repeats' medians further apart than this many intervals …
	leastSpread  = 2.0 // … and than these milliseconds and this share of the median
	spreadShare  = 0.01
	noisyFloorMs = 2.5 // p95 of the noise floor: half the least margin
)

// Why operations do not count, as the warnings about them end.
const (
	InvalidReason   = "operations are invalid: their fault is not proven, or events are missing."
	DisturbedReason = "operations are disturbed: a stall of the machine explains them."
)

// warnings are the doubts that travel with a series, one short sentence each.
func (s *Series) warnings(found int, ops []*Operation) (list []string) {
	warn := func(when bool, format string, args ...any) {
		if when {
			list = append(list, fmt.Sprintf(format, args...))
		}
	}
	missing := s.Planned - s.N - s.Invalid - s.Disturbed
	if s.NotApplicable != "" {
		return nil
	}
	warn(s.N == 0, "No operation counts: there is nothing to judge.")
	warn(s.N > 0 && s.N < 6, "n = %d is too small for an interval.", s.N)
	warn(s.N >= 6 && s.N < smallN, "n = %d is small: read the interval, not the median.", s.N)
	warn(missing > 0, "%d of %d planned operations have no end in the log.", missing, s.Planned)
	warn(found > s.Planned, "%d operations were found, %d were planned.", found, s.Planned)
	warn(s.Client == eventlog.ExecClient && s.StartupMs == nil && found > 0, "%s", startupWarning)
	warn(s.StartupCut > s.N/2, "%d of %d operations left no time for the start-up that was measured under healthy: only what each spent out of the server's sight is taken off.", s.StartupCut, s.N)
	warn(s.Undecided > 0, "%d of %d operations ended so little too late that it depends on the length of their own start-up.", s.Undecided, s.N)
	warn(s.Broken > 0, "%d of %d operations are invalid: the client broke: %s.", s.Broken, found, s.BrokenBecause)
	warn(s.unproven() > 0, "%d of %d "+InvalidReason, s.unproven(), found)
	warn(s.Disturbed > 0, "%d of %d "+DisturbedReason, s.Disturbed, found)
	warn(len(s.Outcomes) > 1, "Outcomes are mixed: %s.", mix(ops))
	if spread, width := s.spread(); spread > s.tolerableSpread(width) {
		warn(true, "The repeats' medians lie %.2f ms apart, the interval is %.2f ms wide: something changed between repeats.", spread, width)
	}
	if f := s.NoiseFloorMs; f != nil && f.P95 != nil {
		warn(*f.P95 > noisyFloorMs, "The noise floor is high: p95 %.2f ms; use a quieter machine for durations.", *f.P95)
	}
	return list
}

// mix lists the outcomes in the closed list's order, each with its own median:
// that of all is of none of them.
func mix(ops []*Operation) string {
	of := map[eventlog.Outcome][]*Operation{}
	for _, op := range ops {
		of[op.Outcome] = append(of[op.Outcome], op)
	}
	var mixed []string
	for _, o := range eventlog.Outcomes {
		if median := medianOf(of[o], func(op *Operation) *float64 { return new(op.JudgedMs()) }); median != nil {
			mixed = append(mixed, fmt.Sprintf("%d %s, median %.1f ms", len(of[o]), o, *median))
		}
	}
	return strings.Join(mixed, "; ")
}

// tolerableSpread keeps quiet about medians that differ by no more than a
// machine's mood: intervals of 0.2 ms are left by any background work.
func (s *Series) tolerableSpread(width float64) float64 {
	if s.DurationMs == nil {
		return width
	}
	return max(spreadTimes*width, leastSpread, spreadShare*s.DurationMs.Median)
}

// spread compares the repeats' medians with the interval of the whole; without
// an interval or with one repeat nothing spreads.
func (s *Series) spread() (spread, width float64) {
	d := s.DurationMs
	if d == nil || d.CI95 == nil || len(d.RepeatMedians) < 2 {
		return 0, 0
	}
	return centi(slices.Max(d.RepeatMedians) - slices.Min(d.RepeatMedians)), centi(d.CI95[1] - d.CI95[0])
}
