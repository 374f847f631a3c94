package verdict

import (
	"strings"
	"testing"

	"github.com/deadlinelab/deadlinelab/internal/scenario"
	"github.com/deadlinelab/deadlinelab/internal/timeline"
)

// The floor's p95 is 1.02 ms in all of them, the interval ± 0.1.
func TestDurationWindows(t *testing.T) {
	minimum, maximum := 600.0, 815.0
	window := scenario.Duration{MinMs: &minimum, MaxMs: &maximum}
	tests := []struct {
		name   string
		median float64
		want   scenario.Duration
		timer  bool
		floor  float64
		ci     bool
		expect Verdict
	}{
		{"timer, at the lower edge", 999, *lasts(1000), true, 1.02, true, Pass},
		{"timer, at the upper edge", 1006.02, *lasts(1000), true, 1.02, true, Pass},
		{"timer, a little early", 998.5, *lasts(1000), true, 1.02, true, Inconclusive},
		{"timer, early", 997, *lasts(1000), true, 1.02, true, Fail},
		{"timer, a little over", 1006.9, *lasts(1000), true, 1.02, true, Inconclusive},
		{"timer, far over", 1008, *lasts(1000), true, 1.02, true, Fail},
		{"work may take 3 %", 1031, *lasts(1000), false, 1.02, true, Pass},
		{"work over 3 %", 1034, *lasts(1000), false, 1.02, true, Fail},
		{"short work may take 10 ms", 30.5, *lasts(20), false, 1.02, true, Pass},
		{"short work over 10 ms", 33, *lasts(20), false, 1.02, true, Fail},
		{"inside on a noisy machine", 1001, *lasts(1000), true, 5.01, true, Inconclusive},
		{"far over on a noisy machine", 1200, *lasts(1000), true, 5.01, true, Inconclusive},
		{"far over on a machine just quiet", 1200, *lasts(1000), true, 5, true, Fail},
		{"a written window is literal below", 599, window, false, 0, true, Fail},
		{"a written window, lower edge", 600, window, false, 0, true, Pass},
		{"a written window gets the floor above", 816, window, false, 1.02, true, Pass},
		{"a written window, over", 818, window, false, 1.02, true, Fail},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			s := deadlineSeries(test.median)
			s.NoiseFloorMs.P95 = &test.floor
			var operations []*timeline.Operation
			if test.timer {
				operations = append(operations, timedOperation())
			}
			got := check(t, judged(s, scenario.Expect{DurationMs: &test.want}, operations...), "duration_ms")
			if got.Verdict != test.expect {
				t.Errorf("%+v, want %s", got, test.expect)
			}
			if (got.Verdict == Pass) != (got.Reason == "") {
				t.Errorf("reason %q of a %s", got.Reason, got.Verdict)
			}
		})
	}
}

// A median that cannot be told from one inside the window proves nothing.
func TestIntervalReachesIntoTheWindow(t *testing.T) {
	s := deadlineSeries(1009)
	s.DurationMs.CI95 = &[2]float64{1005.9, 1012}
	got := check(t, judged(s, scenario.Expect{DurationMs: lasts(1000)}, timedOperation()), "duration_ms")
	if got.Verdict != Inconclusive || !strings.Contains(got.Reason, "95 % interval") {
		t.Errorf("%+v", got)
	}
}

func TestOtherFigures(t *testing.T) {
	s := deadlineSeries(1000.6)
	s.WasteMs = &timeline.Quantiles{Median: 97.9}
	s.CancelToReturnMs = &timeline.Quantiles{Median: 0.3}
	want := scenario.Expect{OvershootMs: lasts(0), WasteMs: lasts(100), CancelToReturnMs: lasts(0)}
	got := judged(s, want)
	for _, name := range []string{"overshoot_ms", "waste_ms", "cancel_to_return_ms"} {
		if c := check(t, got, name); c.Verdict != Pass {
			t.Errorf("%+v", c)
		}
	}
	s.WasteMs = nil
	if c := check(t, judged(s, scenario.Expect{WasteMs: lasts(0)}), "waste_ms"); c.Verdict != Pass {
		t.Errorf("nothing wasted is no waste: %+v", c)
	}
	s.Unreported = []string{"waste_ms"}
	if c := check(t, judged(s, scenario.Expect{WasteMs: lasts(0)}), "waste_ms"); c.Verdict != Inconclusive || c.Actual != "not reported" {
		t.Errorf("what is not reported is no waste of 0: %+v", c)
	}
	s.CancelToReturnMs = nil
	if c := check(t, judged(s, scenario.Expect{CancelToReturnMs: lasts(0)}), "cancel_to_return_ms"); c.Verdict != Inconclusive {
		t.Errorf("no sample is not a pass: %+v", c)
	}
}

// A run that was over before its first noise sample knows no noise: it cannot
// fail a duration, only pass it or leave it open.
func TestDurationWithoutNoiseFloor(t *testing.T) {
	for median, want := range map[float64]Verdict{1000: Pass, 1200: Inconclusive} {
		s := deadlineSeries(median)
		s.NoiseFloorMs = nil
		if got := check(t, judged(s, scenario.Expect{DurationMs: lasts(1000)}, timedOperation()), "duration_ms"); got.Verdict != want {
			t.Errorf("%g: %+v, want %s", median, got, want)
		}
	}
}

// A median of fewer operations than an interval takes never fails, however far
// outside it lies: one or two that were held up make it.
func TestDurationOfFew(t *testing.T) {
	for _, test := range []struct {
		n      int
		median float64
		want   Verdict
	}{{5, 1012, Inconclusive}, {6, 1012, Fail}, {5, 1200, Inconclusive}, {2, 3000, Inconclusive}, {6, 1200, Fail}} {
		s := deadlineSeries(test.median)
		s.N, s.DurationMs.CI95 = test.n, nil
		got := check(t, judged(s, scenario.Expect{DurationMs: lasts(1000)}, timedOperation()), "duration_ms")
		if got.Verdict != test.want || (test.want == Inconclusive) != strings.HasSuffix(got.Reason, " operations are too few for an interval, use at least 6") {
			t.Errorf("%+v: %+v", test, got)
		}
	}
}

// Lateness that the margin of a noisy run swallows is not judged.
func TestMarginSwallowsLateness(t *testing.T) {
	for _, test := range []struct {
		margin, floor, overshoot float64
		want                     Verdict
	}{
		{130, 4, 120, Inconclusive}, // 120 ms over count as in time
		{5, 4, 120, Fail},
		{130, 4, -10, Fail}, // it never came near the deadline
		{5, 5.5, 120, Inconclusive},
	} {
		s := deadlineSeries(1000)
		s.Late, s.MarginMs, s.OvershootMs.Median = 0, test.margin, test.overshoot
		s.NoiseFloorMs.P95 = &test.floor
		if got := check(t, judged(s, scenario.Expect{Late: new(true)}), "late"); got.Verdict != test.want {
			t.Errorf("%+v: %+v", test, got)
		}
	}
}
