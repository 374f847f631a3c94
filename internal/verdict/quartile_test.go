package verdict

import (
	"testing"

	"github.com/deadlinelab/deadlinelab/internal/fixture"
	"github.com/deadlinelab/deadlinelab/internal/scenario"
	"github.com/deadlinelab/deadlinelab/internal/timeline"
)

// Durations that are spread by design are told from those that all are alike,
// which have the same median.
func TestQuartiles(t *testing.T) {
	at := func(lo, hi float64) *scenario.Duration { return &scenario.Duration{MinMs: &lo, MaxMs: &hi} }
	want := scenario.Expect{FirstQuartileMs: at(1090, 1450), ThirdQuartileMs: at(1590, 1950)}
	for _, c := range []struct {
		name         string
		durations    []float64
		first, third Verdict
	}{
		{"six, evenly spread", []float64{1937, 1103, 1770, 1270, 1603, 1437}, Pass, Pass},
		{"five of them", []float64{1937, 1103, 1770, 1270, 1603}, Pass, Pass},
		{"all alike", []float64{1520, 1520, 1520, 1520, 1520, 1520}, Fail, Fail},
		{"all early in their second", []float64{1990, 1991, 1992, 1993, 1994, 1995}, Fail, Fail},
		{"too few to tell", []float64{1020, 1021, 1022}, Inconclusive, Inconclusive},
		{"none", nil, Inconclusive, Inconclusive},
	} {
		s := fixture.Series("slow_headers", "D", "operation_deadline", "success", "kept", 1520, "2", "2")
		s.N = len(c.durations)
		var ops []*timeline.Operation
		for _, ms := range c.durations {
			o := timedOperation()
			o.Outcome, o.DurationMs = "success", ms
			ops = append(ops, o)
		}
		got := judged(s, want, ops...)
		if first, third := check(t, got, "first_quartile_ms"), check(t, got, "third_quartile_ms"); first.Verdict != c.first || third.Verdict != c.third {
			t.Errorf("%s: %+v and %+v, want %s and %s", c.name, first, third, c.first, c.third)
		}
	}
}
