package compare

import (
	"strings"
	"testing"

	"github.com/deadlinelab/deadlinelab/internal/eventlog"
	"github.com/deadlinelab/deadlinelab/internal/timeline"
)

// What a change of one series is called, and that the other way round it is
// called the opposite.
func TestSeriesVerdicts(t *testing.T) {
	failure := func(o eventlog.Outcome, ms float64, attempts int) []shape {
		return []shape{{outcome: o, promise: timeline.FailedInTime, ms: ms, attempts: attempts, requests: attempts, n: 90}}
	}
	tried := func(n, attempts int) shape {
		s := success(n, 20)
		s.attempts, s.requests = attempts, attempts
		return s
	}
	late, cancelled := success(90, 20), failure(eventlog.Cancelled, 100, 1)
	late.promise, cancelled[0].promise = timeline.Late, timeline.CancelledByCaller
	tests := []struct {
		name     string
		old, new []shape
		want     Verdict
		back     Verdict
	}{
		{"the same", []shape{success(90, 20)}, []shape{success(90, 20)}, Same, Same},
		{"a planted 20 ms", []shape{success(90, 20)}, []shape{success(90, 40)}, Worse, Better},
		{"20 ms in 1,000 past the deadline", failure(eventlog.DeadlineExceeded, 1000.3, 2), failure(eventlog.DeadlineExceeded, 1020.3, 2), Worse, Better},
		{"20 ms in 900 before it are within 3 %", []shape{success(90, 900)}, []shape{success(90, 920)}, Same, Same},
		{"within 5 ms", []shape{success(90, 20)}, []shape{success(90, 23)}, Same, Same},
		{"at the margin", []shape{success(90, 20)}, []shape{success(90, 25)}, Inconclusive, Inconclusive},
		{"five operations", []shape{success(5, 20)}, []shape{success(5, 40)}, Inconclusive, Inconclusive},
		{"six operations", []shape{success(6, 20)}, []shape{success(6, 80)}, Worse, Better},
		{"the same failure, sooner", failure(eventlog.AttemptTimeout, 400, 1), failure(eventlog.AttemptTimeout, 300, 1), Changed, Worse},
		{"gave up after fewer attempts", failure(eventlog.RetriesExhausted, 450, 3), failure(eventlog.RetriesExhausted, 200, 2), Changed, Worse},
		{"C against D", []shape{lateC(90)}, []shape{deadlineD(90)}, Better, Worse},
		{"C against D in the smoke profile", []shape{lateC(6)}, []shape{deadlineD(6)}, Better, Worse},
		{"kept, then late", []shape{success(90, 20)}, []shape{late}, Worse, Better},
		{"a tenth late", []shape{success(90, 20)}, []shape{success(75, 20), lateC(15)}, Worse, Better},
		{"one late", []shape{success(90, 20)}, []shape{success(89, 20), lateC(1)}, Same, Same},
		{"half late, in four", []shape{success(4, 20)}, []shape{success(2, 20), lateC(2)}, Inconclusive, Inconclusive},
		{"late success, then late failure", []shape{lateC(90)}, []shape{{outcome: eventlog.DeadlineExceeded, promise: timeline.Late, ms: 1120, n: 90}}, Worse, Better},
		{"another failure in time", failure(eventlog.ConnectError, 50, 1), failure(eventlog.TransportError, 50, 1), Inconclusive, Inconclusive},
		{"the client breaks", failure(eventlog.ConnectError, 50, 1), failure(eventlog.ClientError, 50, 1), Worse, Better},
		{"a cancel is no loss and no gain", []shape{success(90, 20)}, cancelled, Inconclusive, Inconclusive},
		{"a cancel that is not kept", cancelled, failure(eventlog.DeadlineExceeded, 1000, 1), Worse, Better},
		{"an attempt more", []shape{tried(90, 1)}, []shape{tried(90, 2)}, Worse, Changed},
		{"an attempt more in a fifth", []shape{tried(90, 1)}, []shape{tried(70, 1), tried(20, 2)}, Worse, Changed},
		{"an attempt more in one", []shape{tried(90, 1)}, []shape{tried(89, 1), tried(1, 2)}, Same, Same},
		{"an attempt more, in three", []shape{tried(3, 1)}, []shape{tried(3, 2)}, Inconclusive, Inconclusive},
		{"nothing counts", []shape{success(90, 20)}, nil, Inconclusive, Inconclusive},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			rnd := seeded()
			old, new := recording(rnd, test.old...), recording(rnd, test.new...)
			if got := only(t, Compare(old, new, usual)); got.Verdict != test.want {
				t.Errorf("%s, expected %s: %+v", got.Verdict, test.want, got)
			}
			if got := only(t, Compare(new, old, usual)); got.Verdict != test.back {
				t.Errorf("the other way round %s, expected %s: %+v", got.Verdict, test.back, got)
			}
		})
	}
}

// C gives up 120 ms before D's operation is over, or the reverse: no word of it
// may be that one is faster.
func TestOutcomesChangedSaysNothingOfTime(t *testing.T) {
	rnd := seeded()
	old, new := recording(rnd, lateC(90)), recording(rnd, deadlineD(90))
	for _, c := range []*Comparison{Compare(old, new, usual), Compare(new, old, usual)} {
		s := only(t, c)
		if !s.Ending.Changed || len(s.Times) != 0 || s.Attempts != nil || s.ServerRequests != nil {
			t.Errorf("below a changed ending nothing is compared: %+v", s)
		}
		for _, format := range Formats() {
			var b strings.Builder
			if err := c.Write(format, &b); err != nil {
				t.Fatal(err)
			}
			if strings.Contains(b.String(), "faster") || strings.Contains(b.String(), "sooner") || strings.Contains(b.String(), "slower") {
				t.Errorf("%s speaks of time:\n%s", format, &b)
			}
			if format != "json" && !strings.Contains(b.String(), "outcomes changed") {
				t.Errorf("%s does not say that outcomes changed:\n%s", format, &b)
			}
		}
	}
}

// A variant against another one of the same run.
func TestPairs(t *testing.T) {
	rnd := seeded()
	r := &Run{NoiseMs: quiet()}
	r.add(rnd, "semaphore_wait", "C", lateC(90))
	r.add(rnd, "semaphore_wait", "D", deadlineD(90))
	r.add(rnd, "healthy", "C", success(90, 20))
	c := Compare(r, r, Options{MarginMs: 5, Pairs: []Pair{{"C", "D"}}})
	s := only(t, c)
	if !s.Ending.Changed || s.Old.Variant != "C" || s.New.Variant != "D" {
		t.Errorf("C against D: %+v", s)
	}
	if len(c.OnlyOld) != 1 || c.OnlyOld[0].Scenario != "healthy" || len(c.OnlyNew) != 0 {
		t.Errorf("only old %v, only new %v; expected healthy's C, which has no D", c.OnlyOld, c.OnlyNew)
	}
}

// What only one run has is listed and judged by nobody; what vanished leaves the
// comparison open unless it may.
func TestMissingSeries(t *testing.T) {
	rnd := seeded()
	old, new := recording(rnd, success(90, 20)), recording(rnd, success(90, 20))
	old.add(rnd, "hang", "G", success(90, 20))
	new.add(rnd, "hang", "B", success(90, 20))
	c := Compare(old, new, usual)
	if c.Verdict != Inconclusive || c.Counts.Series != 1 || !c.Unproven() || c.summary() != "inconclusive, 1 series of old are missing in new (1 series: 1 same)" {
		t.Errorf("%s, expected inconclusive of 1", c.summary())
	}
	allowing := usual
	allowing.AllowMissing = true
	if allowed := Compare(old, new, allowing); allowed.Verdict != Same || allowed.Unproven() {
		t.Errorf("allowed: %s, expected same", allowed.summary())
	}
	if gained := Compare(&Run{Series: old.Series[:1], Operations: old.Operations, NoiseMs: old.NoiseMs}, old, usual); gained.Verdict != Same || len(gained.OnlyNew) != 1 {
		t.Errorf("a new series: %s, expected same", gained.summary())
	}
	if len(c.OnlyOld) != 1 || c.OnlyOld[0].Variant != "G" || len(c.OnlyNew) != 1 || c.OnlyNew[0].Variant != "B" {
		t.Errorf("only old %v, only new %v", c.OnlyOld, c.OnlyNew)
	}
}

// Nothing in common proves nothing.
func TestNothingInCommon(t *testing.T) {
	rnd := seeded()
	old := recording(rnd, success(90, 20))
	new := &Run{NoiseMs: quiet()}
	new.add(rnd, "hang", "G", success(90, 20))
	if c := Compare(old, new, usual); c.Verdict != Inconclusive {
		t.Errorf("verdict %s, expected inconclusive", c.Verdict)
	}
}

// A run against itself is the same, however few its operations and however
// noisy its machine.
func TestOneMeasurement(t *testing.T) {
	for _, n := range []int{1, 2, 6, 90} {
		r := recording(seeded(), success(n, 20), lateC(n))
		r.NoiseMs = []float64{40}
		if c := Compare(r, r, usual); c.Verdict != Same || c.Doubt != "" {
			t.Errorf("n = %d: %s, expected same: %+v", n, c.Verdict, c.Series)
		}
	}
}

// Doubts turn a certain regression into an open question, and name themselves.
func TestDoubts(t *testing.T) {
	tests := []struct {
		name  string
		spoil func(old, new *Run)
		want  string
	}{
		{"noise of old", func(old, new *Run) { old.NoiseMs = []float64{5.2} }, "the old run's machine was noisy: floor p95 5.20 ms"},
		{"noise of new", func(old, new *Run) { new.NoiseMs = []float64{5.2} }, "the new run's machine was noisy"},
		{"no noise floor", func(old, new *Run) { new.NoiseMs = nil }, "the new run has no noise floor"},
		{"incomplete", func(old, new *Run) { new.Incomplete = "labserver died" }, "the new run is incomplete: labserver died"},
		{"invalid", func(old, new *Run) { spoilOperations(new, 5) }, "5 of 90 operations of the new run are invalid or missing"},
		{"all invalid", func(old, new *Run) { spoilOperations(old, 90) }, "no operation of the old run counts"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			rnd := seeded()
			old, new := recording(rnd, success(90, 20)), recording(rnd, success(90, 60))
			test.spoil(old, new)
			s := only(t, Compare(old, new, usual))
			if s.Verdict != Inconclusive || !strings.Contains(s.Doubt, test.want) {
				t.Errorf("%s, doubt %q; expected inconclusive, %q", s.Verdict, s.Doubt, test.want)
			}
		})
	}
}

func spoilOperations(r *Run, n int) {
	for _, op := range r.Operations[:n] {
		op.Valid = false
	}
	r.Series[0].N, r.Series[0].Invalid = r.Series[0].N-n, n
}

// Four invalid of 90 are fewer than 5 %: they are left out, the rest is judged.
func TestFewInvalid(t *testing.T) {
	rnd := seeded()
	old, new := recording(rnd, success(90, 20)), recording(rnd, success(90, 60))
	spoilOperations(new, 4)
	if s := only(t, Compare(old, new, usual)); s.Verdict != Worse || s.Times[0].New.N != 86 {
		t.Errorf("%s of %d operations, expected worse of 86", s.Verdict, s.Times[0].New.N)
	}
}

// The margin is the largest of three, and says which it was.
func TestMargin(t *testing.T) {
	tests := []struct {
		ms    float64
		floor float64
		want  Margin
	}{
		{20, 1, Margin{5, "absolute"}},
		{800, 1, Margin{24, "relative"}},
		{20, 4.9, Margin{5, "absolute"}},
		{20, 5, Margin{5, "absolute"}},
		{20, 8, Margin{8, "noise"}},
	}
	for _, test := range tests {
		rnd := seeded()
		old, new := recording(rnd, success(90, test.ms)), recording(rnd, success(90, test.ms))
		new.NoiseMs = []float64{test.floor}
		got := only(t, Compare(old, new, usual)).Times[0].Margin
		if got.From != test.want.From || got.Ms < test.want.Ms || got.Ms > test.want.Ms+0.1 {
			t.Errorf("%g ms, floor %g: margin %+v, expected %+v", test.ms, test.floor, got, test.want)
		}
	}
}

// An outcome that few operations show has no say in times; the commonest has.
func TestTimesWithinOneOutcome(t *testing.T) {
	rnd := seeded()
	rare := deadlineD(4)
	old, new := recording(rnd, success(86, 20), rare), recording(rnd, success(86, 20), rare)
	s := only(t, Compare(old, new, usual))
	if len(s.Times) != 1 || s.Times[0].Outcome != eventlog.Success || s.Verdict != Same {
		t.Errorf("expected the success alone: %+v", s)
	}
	old, new = recording(rnd, success(45, 20), deadlineD(45)), recording(rnd, success(45, 50), deadlineD(45))
	s = only(t, Compare(old, new, usual))
	if len(s.Times) != 2 || s.Times[0].Verdict != Worse || s.Times[1].Verdict != Same || s.Verdict != Worse {
		t.Errorf("expected success worse, deadline_exceeded same: %+v", s)
	}
}

// What else differs between two runs is said beside the figures.
func TestNotes(t *testing.T) {
	rnd := seeded()
	old, new := recording(rnd, success(90, 20)), recording(rnd, success(90, 40))
	old.Facts, new.Facts = []Setting{{"cpus", "2"}, {"go", "1"}}, []Setting{{"cpus", "8"}, {"go", "1"}}
	old.Settings = map[string][]Setting{"scenario": {{"a", "1"}, {"b", "1"}, {"c", "1"}, {"d", "1"}}}
	new.Settings = map[string][]Setting{"scenario": {{"a", "2"}, {"b", "2"}, {"c", "1"}, {"e", "1"}}}
	got := strings.Join(Compare(old, new, usual).Notes, "\n")
	want := "the runs were made differently: cpus 2 → 8\nscenario scenario is another one now: a 1 → 2, b 1 → 2, d 1 → nothing, and 1 more"
	if got != want {
		t.Errorf("notes\n%s\nexpected\n%s", got, want)
	}
}
