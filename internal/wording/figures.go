package wording

import (
	"fmt"
	"math"

	"github.com/deadlinelab/deadlinelab/internal/timeline"
)

// Unknown stands for a figure that no operation has.
const Unknown = "–"

// Hundredths rounds milliseconds to what a page prints, never to "-0".
func Hundredths(ms float64) float64 { return math.Round(ms*100)/100 + 0 }

// NText is "90 of 90", with what was left out.
func NText(s timeline.Series) string {
	text := fmt.Sprintf("n %d of %d", s.N, s.Planned)
	if s.Invalid > 0 {
		text += fmt.Sprintf(", %d invalid", s.Invalid)
	}
	if s.Disturbed > 0 {
		text += fmt.Sprintf(", %d disturbed", s.Disturbed)
	}
	return text
}

// MedianText is a median in ms with a tenth.
func MedianText(d *timeline.Durations) string {
	if d == nil {
		return Unknown
	}
	return fmt.Sprintf("%.1f", d.Median)
}

// IntervalText is the 95 % interval in ms: "20.1–22.4".
func IntervalText(d *timeline.Durations) string {
	if d == nil || d.CI95 == nil {
		return Unknown
	}
	return fmt.Sprintf("%.1f–%.1f", d.CI95[0], d.CI95[1])
}

// PairText is median / p95; the maximum takes the place of a p95 that too few
// samples have.
func PairText(q *timeline.Quantiles, verb string) string {
	if q == nil {
		return Unknown
	}
	return fmt.Sprintf(verb+" / "+verb, q.Median, FloorP95(q))
}

// Tenths rounds to what is printed, so that nothing is "-0.0".
func Tenths(ms float64) float64 { return math.Round(ms*10)/10 + 0 }

// FloorP95 falls back to the maximum where there are too few samples for a p95.
func FloorP95(floor *timeline.Quantiles) float64 {
	if floor == nil {
		return 0
	}
	if floor.P95 != nil {
		return *floor.P95
	}
	return floor.Max
}
