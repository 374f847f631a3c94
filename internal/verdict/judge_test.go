package verdict

import (
	"testing"

	"github.com/deadlinelab/deadlinelab/internal/eventlog"
	"github.com/deadlinelab/deadlinelab/internal/fixture"
	"github.com/deadlinelab/deadlinelab/internal/scenario"
	"github.com/deadlinelab/deadlinelab/internal/timeline"
)

func exactly(n int) *scenario.Count { return &scenario.Count{N: n} }

func between(low, high int) *scenario.Count { return &scenario.Count{Min: &low, Max: &high} }

func lasts(ms float64) *scenario.Duration { return &scenario.Duration{Ms: ms} }

func expects(o eventlog.Outcome) scenario.Expect { return scenario.Expect{Outcome: &o} }

// judged judges one series of slow_headers D that took median ms, against an
// expectation, with the operations that a timer ended or not.
func judged(s timeline.Series, want scenario.Expect, operations ...*timeline.Operation) Series {
	sc := &scenario.Scenario{Name: s.Scenario, Expect: map[string]scenario.Expect{s.Variant: want}}
	return Judge(operations, []timeline.Series{s}, []*scenario.Scenario{sc}).Series[0]
}

func deadlineSeries(median float64) timeline.Series {
	return fixture.Series("slow_headers", "D", "operation_deadline", "deadline_exceeded", "failed_in_time", median, "2", "2")
}

func timedOperation() *timeline.Operation {
	o := fixture.SlowHeadersD().Operation
	o.Scenario = "slow_headers"
	return o
}

func check(t *testing.T, s Series, requirement string) Check {
	t.Helper()
	for _, c := range s.Checks {
		if c.Requirement == requirement {
			return c
		}
	}
	t.Fatalf("no check of %s in %+v", requirement, s.Checks)
	return Check{}
}

// One operation out of ninety that differs fails an exact check.
func TestExactChecks(t *testing.T) {
	mixed := func(s timeline.Series) timeline.Series {
		s.Outcomes = map[string]int{"deadline_exceeded": 89, "success": 1}
		s.Attempts, s.ServerRequests = map[string]int{"2": 89, "3": 1}, map[string]int{"2": 89, "3": 1}
		headers := 89
		s.Late, s.HeadersReceived = 1, &headers
		s.OvershootMs.Max = 40
		return s
	}
	grazing := func(s timeline.Series) timeline.Series {
		s.Late, s.OvershootMs.Max = 1, 6
		return s
	}
	tests := []struct {
		name   string
		series timeline.Series
		want   scenario.Expect
		check  Check
	}{
		{"outcome", deadlineSeries(1000), expects(eventlog.DeadlineExceeded), Check{"outcome", "deadline_exceeded", "deadline_exceeded 90 of 90", Pass, ""}},
		{"another outcome", deadlineSeries(1000), expects(eventlog.Success), Check{"outcome", "success", "deadline_exceeded 90 of 90", Fail, ""}},
		{"one other outcome", mixed(deadlineSeries(1000)), expects(eventlog.DeadlineExceeded), Check{"outcome", "deadline_exceeded", "deadline_exceeded 89, success 1 of 90", Fail, ""}},
		{"attempts", deadlineSeries(1000), scenario.Expect{Attempts: exactly(2)}, Check{"attempts", "2", "2 × 90 of 90", Pass, ""}},
		{"one more attempt", mixed(deadlineSeries(1000)), scenario.Expect{Attempts: exactly(2)}, Check{"attempts", "2", "2 × 89, 3 × 1 of 90", Fail, ""}},
		{"requests in a window", mixed(deadlineSeries(1000)), scenario.Expect{ServerRequests: between(2, 3)}, Check{"server_requests", "2 to 3", "2 × 89, 3 × 1 of 90", Pass, ""}},
		{"never late", deadlineSeries(1000), scenario.Expect{Late: new(false)}, Check{"late", "false", "0 of 90", Pass, ""}},
		{"late once", mixed(deadlineSeries(1000)), scenario.Expect{Late: new(false)}, Check{"late", "false", "1 of 90", Fail, ""}},
		{"late once, by what the noise floor explains", grazing(deadlineSeries(1000)), scenario.Expect{Late: new(false)}, Check{"late", "false", "1 of 90", Inconclusive,
			"1 of 90 ended at most 6.00 ms after the deadline, which the noise floor (max 2.10 ms) explains: run it again when the machine is quiet"}},
		{"not all late", mixed(deadlineSeries(1000)), scenario.Expect{Late: new(true)}, Check{"late", "true", "1 of 90", Fail, ""}},
		{"in budget", deadlineSeries(1000), scenario.Expect{InBudget: new(false)}, Check{"in_budget", "false", "0 of 90", Pass, ""}},
		{"headers", mixed(deadlineSeries(1000)), scenario.Expect{HeadersReceived: new(true)}, Check{"headers_received", "true", "89 of 90", Fail, ""}},
		{"body", deadlineSeries(1000), scenario.Expect{BodyComplete: new(false)}, Check{"body_complete", "false", "0 of 90", Pass, ""}},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			got := judged(test.series, test.want)
			if c := check(t, got, test.check.Requirement); c != test.check {
				t.Errorf("got  %+v\nwant %+v", c, test.check)
			}
			if got.Verdict != test.check.Verdict {
				t.Errorf("series is %s, want %s", got.Verdict, test.check.Verdict)
			}
		})
	}
}

// Whatever is expected: without a valid operation nothing passes.
func TestNoSamplesIsNeverAPass(t *testing.T) {
	empty := timeline.Series{Scenario: "slow_headers", Variant: "operation_deadline", Label: "D", Planned: 90, Invalid: 90}
	want := expects(eventlog.DeadlineExceeded)
	want.Attempts, want.ServerRequests, want.Late, want.InBudget, want.DurationMs = exactly(0), exactly(0), new(false), new(false), lasts(0)
	want.HeadersReceived, want.BodyComplete, want.OvershootMs, want.WasteMs, want.CancelToReturnMs = new(false), new(false), lasts(0), lasts(0), lasts(0)
	got := judged(empty, want)
	if len(got.Checks) != 12 {
		t.Fatalf("%d checks, want all 12", len(got.Checks))
	}
	for _, c := range got.Checks {
		if c.Verdict != Inconclusive || c.Reason == "" {
			t.Errorf("%+v", c)
		}
	}
	if nothing := Judge(nil, nil, nil); nothing.Verdict != Inconclusive {
		t.Errorf("a run without series is %s", nothing.Verdict)
	}
}

func TestValidity(t *testing.T) {
	tests := []struct {
		n, invalid, disturbed int
		want                  Verdict
		reason                bool
	}{
		{90, 0, 0, Pass, false},
		{86, 4, 0, Pass, false},         // 4.4 %
		{85, 5, 0, Inconclusive, true},  // 5.6 %
		{85, 0, 0, Inconclusive, true},  // five are missing
		{88, 0, 2, Pass, false},         // two disturbed are no news
		{80, 0, 10, Pass, true},         // many are, but prove nothing against the client
		{0, 0, 90, Inconclusive, true},  // nothing is left
		{45, 45, 0, Inconclusive, true}, //
	}
	for _, test := range tests {
		s := deadlineSeries(1000)
		s.N, s.Invalid, s.Disturbed = test.n, test.invalid, test.disturbed
		got := check(t, judged(s, scenario.Expect{}), "valid_operations")
		if got.Verdict != test.want || (got.Reason != "") != test.reason {
			t.Errorf("n %d, invalid %d, disturbed %d: %+v, want %s", test.n, test.invalid, test.disturbed, got, test.want)
		}
	}
}

// A failure outweighs what is inconclusive, that outweighs a pass, and no
// expectation is no verdict.
func TestPrecedence(t *testing.T) {
	invalid := deadlineSeries(1000)
	invalid.N, invalid.Invalid, invalid.Outcomes = 80, 10, map[string]int{"success": 80}
	if got := judged(invalid, expects(eventlog.DeadlineExceeded)); got.Verdict != Fail {
		t.Errorf("got %s, want fail", got.Verdict)
	}
	invalid.Outcomes = map[string]int{"deadline_exceeded": 80}
	if got := judged(invalid, expects(eventlog.DeadlineExceeded)); got.Verdict != Inconclusive {
		t.Errorf("got %s, want inconclusive", got.Verdict)
	}
	got := Judge(nil, []timeline.Series{deadlineSeries(1000)}, nil)
	if got.Verdict != Unjudged || got.Series[0].Verdict != Unjudged || len(got.Series[0].Checks) != 0 {
		t.Errorf("got %+v", got)
	}
}

// The last attempt decides what ended several: its limit, or the upstream.
func TestTimerEnded(t *testing.T) {
	tests := []struct {
		outcome, last eventlog.Outcome
		want          bool
	}{
		{eventlog.DeadlineExceeded, "", true}, {eventlog.AttemptTimeout, "", true}, {eventlog.ConnectTimeout, "", true}, {eventlog.CapReached, "", true},
		{eventlog.RetriesExhausted, eventlog.AttemptTimeout, true}, {eventlog.RetriesExhausted, eventlog.ConnectTimeout, true},
		{eventlog.RetriesExhausted, eventlog.UnexpectedStatus, false}, {eventlog.Success, "", false}, {eventlog.Cancelled, "", false},
	}
	for _, test := range tests {
		o := &timeline.Operation{Outcome: test.outcome, Last: test.last}
		if got := endedByTimer([]*timeline.Operation{o}); got != test.want {
			t.Errorf("%s after %s: %t", test.outcome, test.last, got)
		}
	}
}
