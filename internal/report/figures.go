package report

import (
	"fmt"
	"math"

	"github.com/deadlinelab/deadlinelab/internal/timeline"
)

// unknown stands for a figure that no operation has.
const unknown = "–"

// fullName is "D operation_deadline"; a client without a letter has one name.
func fullName(label, variant string) string {
	if label == variant {
		return plain(variant)
	}
	return plain(label) + " " + plain(variant)
}

// hundredths rounds milliseconds to what a page prints, never to "-0".
func hundredths(ms float64) float64 { return math.Round(ms*100)/100 + 0 }

// nText is "90 of 90", with what was left out.
func nText(s timeline.Series) string {
	text := fmt.Sprintf("n %d of %d", s.N, s.Planned)
	if s.Invalid > 0 {
		text += fmt.Sprintf(", %d invalid", s.Invalid)
	}
	if s.Disturbed > 0 {
		text += fmt.Sprintf(", %d disturbed", s.Disturbed)
	}
	return text
}

func medianText(d *timeline.Durations) string {
	if d == nil {
		return unknown
	}
	return fmt.Sprintf("%.1f", d.Median)
}

func intervalText(d *timeline.Durations) string {
	if d == nil || d.CI95 == nil {
		return unknown
	}
	return fmt.Sprintf("%.1f–%.1f", d.CI95[0], d.CI95[1])
}

// pairText is median / p95; the maximum takes the place of a p95 that too few
// samples have.
func pairText(q *timeline.Quantiles, verb string) string {
	if q == nil {
		return unknown
	}
	return fmt.Sprintf(verb+" / "+verb, q.Median, floorP95(q))
}
