package report

import (
	"bytes"
	"encoding/json"
	"math"
	"strings"
	"testing"

	"github.com/deadlinelab/deadlinelab/internal/eventlog"
	"github.com/deadlinelab/deadlinelab/internal/rundir"
	"github.com/deadlinelab/deadlinelab/internal/scenario"
	"github.com/deadlinelab/deadlinelab/internal/timeline"
)

func yes() *bool { v := true; return &v }
func no() *bool  { v := false; return &v }

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
	return series("slow_headers", "D", "operation_deadline", "deadline_exceeded", "failed_in_time", median, "2", "2")
}

func timedOperation() *timeline.Operation {
	o := slowHeadersD().Operation
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
		s.Late, s.HeadersReceived = 1, 89
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
		{"never late", deadlineSeries(1000), scenario.Expect{Late: no()}, Check{"late", "false", "0 of 90", Pass, ""}},
		{"late once", mixed(deadlineSeries(1000)), scenario.Expect{Late: no()}, Check{"late", "false", "1 of 90", Fail, ""}},
		{"not all late", mixed(deadlineSeries(1000)), scenario.Expect{Late: yes()}, Check{"late", "true", "1 of 90", Fail, ""}},
		{"in budget", deadlineSeries(1000), scenario.Expect{InBudget: no()}, Check{"in_budget", "false", "0 of 90", Pass, ""}},
		{"headers", mixed(deadlineSeries(1000)), scenario.Expect{HeadersReceived: yes()}, Check{"headers_received", "true", "89 of 90", Fail, ""}},
		{"body", deadlineSeries(1000), scenario.Expect{BodyComplete: no()}, Check{"body_complete", "false", "0 of 90", Pass, ""}},
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
	s.CancelToReturnMs = nil
	if c := check(t, judged(s, scenario.Expect{CancelToReturnMs: lasts(0)}), "cancel_to_return_ms"); c.Verdict != Inconclusive {
		t.Errorf("no sample is not a pass: %+v", c)
	}
}

// Whatever is expected: without a valid operation nothing passes.
func TestNoSamplesIsNeverAPass(t *testing.T) {
	empty := timeline.Series{Scenario: "slow_headers", Variant: "operation_deadline", Label: "D", Planned: 90, Invalid: 90}
	want := expects(eventlog.DeadlineExceeded)
	want.Attempts, want.ServerRequests, want.Late, want.InBudget, want.DurationMs = exactly(0), exactly(0), no(), no(), lasts(0)
	want.HeadersReceived, want.BodyComplete, want.OvershootMs, want.WasteMs, want.CancelToReturnMs = no(), no(), lasts(0), lasts(0), lasts(0)
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
		o := &timeline.Operation{Scenario: "s", Variant: "v", Phase: eventlog.Measured, Valid: true, Outcome: test.outcome, Last: test.last}
		if got := endedByTimer([]*timeline.Operation{o})[cell{"s", "v"}]; got != test.want {
			t.Errorf("%s after %s: %t", test.outcome, test.last, got)
		}
	}
}

func TestRequire(t *testing.T) {
	tests := []struct {
		requirement string
		promise     map[string]int
		want        Verdict
	}{
		{"kept", map[string]int{"kept": 90}, Pass},
		{"kept", map[string]int{"kept": 89, "failed_in_time": 1}, Fail},
		{"bounded", map[string]int{"kept": 45, "failed_in_time": 45}, Pass},
		{"bounded", map[string]int{"kept": 89, "late": 1}, Fail},
		{"bounded", map[string]int{"failed_in_time": 89, "unbounded": 1}, Fail},
	}
	for _, test := range tests {
		s := deadlineSeries(1000)
		s.Promise = test.promise
		summary := Judge(nil, []timeline.Series{s}, nil)
		if err := Require(summary, test.requirement); err != nil {
			t.Fatal(err)
		}
		if summary.Verdict != test.want || summary.Series[0].Verdict != test.want {
			t.Errorf("%s of %v: %s, want %s", test.requirement, test.promise, summary.Verdict, test.want)
		}
	}
	none := Judge(nil, []timeline.Series{{Planned: 6}}, nil)
	if err := Require(none, "bounded"); err != nil || none.Verdict != Inconclusive {
		t.Errorf("no operation is %s (%v), want inconclusive", none.Verdict, err)
	}
	if err := Require(none, "fast"); err == nil {
		t.Error("an unknown requirement was accepted")
	}
}

func TestExitCode(t *testing.T) {
	tests := []struct {
		status  rundir.Status
		verdict Verdict
		warn    bool
		want    int
	}{
		{rundir.Complete, Pass, false, 0}, {rundir.Complete, Unjudged, false, 0}, {rundir.Complete, Fail, true, 10},
		{rundir.Complete, Inconclusive, false, 12}, {rundir.Complete, Inconclusive, true, 0},
		{rundir.Aborted, Fail, false, 13}, {rundir.Running, Pass, false, 13},
	}
	for _, test := range tests {
		if got := ExitCode(&Summary{Status: test.status, Verdict: test.verdict}, test.warn); got != test.want {
			t.Errorf("%+v: got %d", test, got)
		}
	}
}

// Fields stand in a fixed order, and what is written is read back the same.
func TestSummaryJSON(t *testing.T) {
	data, err := mixed().Summary.JSON()
	if err != nil {
		t.Fatal(err)
	}
	last := -1
	for _, key := range []string{`"schema"`, `"schema_version"`, `"status"`, `"verdict"`, `"counts"`, `"series"`, `"scenario"`, `"variant"`, `"label"`, `"planned"`, `"n"`,
		`"duration_ms"`, `"outcomes"`, `"promise"`, `"attempts"`, `"server_requests"`, `"representative"`, `"checks"`, `"requirement"`, `"expected"`, `"actual"`} {
		at := bytes.Index(data, []byte(key))
		if at <= last {
			t.Errorf("%s is not where it belongs", key)
		}
		last = at
	}
	back, err := ParseSummary("summary.json", data)
	if err != nil {
		t.Fatal(err)
	}
	again, err := back.JSON()
	if err != nil || !bytes.Equal(data, again) {
		t.Errorf("read back and written again it differs: %v\n%s", err, again)
	}
}

func TestParseSummaryRefuses(t *testing.T) {
	for name, text := range map[string]string{
		"no JSON":      `{`,
		"other schema": `{"schema":"deadlinelab/run","schema_version":"1.0.0"}`,
		"newer major":  `{"schema":"deadlinelab/summary","schema_version":"2.0.0"}`,
	} {
		if _, err := ParseSummary("x/summary.json", []byte(text)); err == nil || !strings.HasPrefix(err.Error(), "x/summary.json: ") {
			t.Errorf("%s: %v", name, err)
		}
	}
	if _, err := ParseSummary("f", []byte(`{"schema":"deadlinelab/summary","schema_version":"1.9.0","verdict":"pass","later":1}`)); err != nil {
		t.Errorf("a later minor version: %v", err)
	}
}

func TestNoNaN(t *testing.T) {
	s := &Summary{Series: []Series{{Series: timeline.Series{BudgetMs: math.NaN()}}}}
	if _, err := s.JSON(); err == nil {
		t.Error("NaN was written")
	}
}

func FuzzParseSummary(f *testing.F) {
	data, err := mixed().Summary.JSON()
	if err != nil {
		f.Fatal(err)
	}
	f.Add(data)
	f.Fuzz(func(t *testing.T, data []byte) {
		s, err := ParseSummary("f", data)
		if err != nil {
			return
		}
		for _, name := range Formats() {
			var b bytes.Buffer
			if err := Write(name, &b, Input{Summary: s}); err != nil {
				t.Fatalf("%s: %v", name, err)
			}
			if strings.ContainsRune(b.String(), '\x1b') {
				t.Fatalf("%s let a terminal escape through", name)
			}
		}
		if !json.Valid(data) {
			t.Fatal("accepted what is no JSON")
		}
	})
}
