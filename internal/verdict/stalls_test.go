package verdict

import (
	"slices"
	"testing"

	"github.com/deadlinelab/deadlinelab/internal/eventlog"
	"github.com/deadlinelab/deadlinelab/internal/fixture"
	"github.com/deadlinelab/deadlinelab/internal/scenario"
	"github.com/deadlinelab/deadlinelab/internal/timeline"
)

// stalledSeries are operations of D that all ended at 1340 ms instead of
// 1000, each with the longest stall of the machine inside it.
func stalledSeries(stalls ...float64) (timeline.Series, []*timeline.Operation) {
	s := deadlineSeries(1340)
	s.N, s.Planned, s.Late = len(stalls), len(stalls), len(stalls)
	s.Outcomes, s.Promise = map[string]int{"deadline_exceeded": s.N}, map[string]int{"late": s.N}
	s.DurationMs.CI95 = nil
	s.OvershootMs = &timeline.Quantiles{Median: 340, Max: 340}
	var operations []*timeline.Operation
	for _, ms := range stalls {
		o := fixture.Ended("D", s.Variant, eventlog.DeadlineExceeded, timeline.Late, 1340)
		o.Scenario, o.StallMs = s.Scenario, ms
		operations = append(operations, o)
	}
	return s, operations
}

// A stall that hit the whole series leaves none of its operations off the
// median: only as long as every deviation has its stall is it an excuse.
func TestStallOfAWholeSeries(t *testing.T) {
	want := scenario.Expect{DurationMs: lasts(1000), OvershootMs: &scenario.Duration{Ms: 0}, Late: new(false)}
	for _, test := range []struct {
		why           string
		stalls        []float64
		late, figures Verdict
	}{
		{"Each was stalled for half of what it was late.", []float64{170, 170, 400, 400}, Inconclusive, Inconclusive},
		{"One in four was late by itself, which moves no median.", []float64{400, 400, 400, 2}, Fail, Inconclusive},
		{"Half of them were late by themselves.", []float64{400, 400, 2, 2}, Fail, Fail},
		{"The stalls are much shorter than the lateness.", []float64{60, 60, 60, 60}, Fail, Fail},
		{"Nothing stalled.", []float64{0, 0, 0, 0}, Fail, Fail},
	} {
		s, operations := stalledSeries(slices.Concat(test.stalls, test.stalls)...)
		got := judged(s, want, operations...)
		for requirement, verdict := range map[string]Verdict{"late": test.late, "duration_ms": test.figures, "overshoot_ms": test.figures} {
			if c := check(t, got, requirement); c.Verdict != verdict {
				t.Errorf("%s %+v", test.why, c)
			}
		}
		summary := Judge(operations, []timeline.Series{s}, nil)
		if err := Require(summary, RequireBounded); err != nil || summary.Verdict != test.late {
			t.Errorf("%s required: %s, %v", test.why, summary.Verdict, err)
		}
	}
}

// Where the machine disturbed more operations than it left, those that are left
// prove no lateness, unless most are later than the noise of the run can be; an
// operation that only the hard cap ended proves more, too.
func TestMoreDisturbedThanLeft(t *testing.T) {
	for _, test := range []struct {
		disturbed int
		floorMs   float64
		promise   timeline.Promise
		want      Verdict
	}{{4, 335, timeline.Late, Fail}, {5, 335, timeline.Late, Inconclusive}, {5, 334, timeline.Late, Fail}, {5, 335, timeline.Unbounded, Fail}} {
		s, operations := stalledSeries(0, 0, 0, 0)
		s.NoiseFloorMs.Max = test.floorMs
		s.Disturbed, s.Planned, s.Promise = test.disturbed, 4+test.disturbed, map[string]int{string(test.promise): 4}
		if c := check(t, judged(s, scenario.Expect{Late: new(false)}, operations...), "late"); c.Verdict != test.want {
			t.Errorf("%+v: %+v", test, c)
		}
		summary := Judge(operations, []timeline.Series{s}, nil)
		if err := Require(summary, RequireBounded); err != nil || summary.Verdict != test.want {
			t.Errorf("%+v, required: %s, %v", test, summary.Verdict, err)
		}
	}
}

// What ended late with another outcome needs a stall that explains that, too: one
// of 351 ms is no reason to be 1184 ms late.
func TestStallThatTurnsALateOutcome(t *testing.T) {
	success := eventlog.Success
	for stall, want := range map[float64]Verdict{351: Fail, 600: Inconclusive} {
		s, operations := stalledSeries(stall)
		for _, o := range operations {
			o.Overshoot, o.DurationMs = 1184, 2184
		}
		c := check(t, judged(s, scenario.Expect{Outcome: &success}, operations...), "outcome")
		if c.Verdict != want {
			t.Errorf("a stall of %g ms: %+v", stall, c)
		}
	}
}

// It takes a long stall to turn an outcome, a count or a flag, and none turns an
// operation into one that the hard cap ends.
func TestStallThatTurnsAnOutcome(t *testing.T) {
	success := eventlog.Success
	want := scenario.Expect{Outcome: &success, Attempts: exactly(1), ServerRequests: exactly(1), InBudget: new(true), HeadersReceived: new(true), BodyComplete: new(true)}
	for _, test := range []struct {
		why    string
		stalls []float64
		ended  eventlog.Outcome
		want   Verdict
	}{
		{"Long stalls.", []float64{100, 1500}, eventlog.DeadlineExceeded, Inconclusive},
		{"One of them is short.", []float64{99, 1500}, eventlog.DeadlineExceeded, Fail},
		{"The hard cap.", []float64{100, 1500}, eventlog.CapReached, Fail},
	} {
		s, operations := stalledSeries(test.stalls...)
		s.Outcomes, s.Promise, s.Late = map[string]int{string(test.ended): 2}, map[string]int{"failed_in_time": 2}, 0
		for _, o := range operations {
			o.Outcome, o.Promise, o.Late = test.ended, timeline.FailedInTime, false
		}
		for _, c := range judged(s, want, operations...).Checks[1:] {
			if c.Verdict != test.want {
				t.Errorf("%s %+v", test.why, c)
			}
		}
		summary := Judge(operations, []timeline.Series{s}, nil)
		if err := Require(summary, RequireKept); err != nil || summary.Verdict != test.want {
			t.Errorf("%s required: %s, %v", test.why, summary.Verdict, err)
		}
	}
}
