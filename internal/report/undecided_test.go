package report

import (
	"strings"
	"testing"

	"github.com/deadlinelab/deadlinelab/internal/eventlog"
	"github.com/deadlinelab/deadlinelab/internal/timeline"
)

// A requirement that holds only because start-ups vary is not one that held.
func TestRequireUndecided(t *testing.T) {
	for _, requirement := range Requirements {
		for undecided, want := range map[int]Verdict{0: Pass, 1: Pass, 2: Inconclusive} {
			e := evidence{series: timeline.Series{Client: eventlog.ExecClient, N: 20, Promise: map[string]int{"kept": 20}, Undecided: undecided}}
			c := e.promise(requirement)
			if c.Verdict != want || strings.Contains(c.Reason, "their own start-up") != (want == Inconclusive) {
				t.Errorf("%s, %d undecided: %+v, want %s", requirement, undecided, c, want)
			}
		}
	}
}

// Nor is one that holds for the few operations that are left.
func TestRequireEnough(t *testing.T) {
	for invalid, want := range map[int]Verdict{0: Pass, 1: Pass, 2: Inconclusive, 19: Inconclusive} {
		one := timeline.Series{Variant: "curl", Client: eventlog.ExecClient, StartupMs: &timeline.Quantiles{}, Planned: 20, N: 20 - invalid, Invalid: invalid, Promise: map[string]int{"kept": 20 - invalid}}
		s := Judge(nil, []timeline.Series{one}, nil)
		if err := Require(s, RequireBounded); err != nil || s.Verdict != want {
			t.Errorf("%d invalid: %s, %v, want %s", invalid, s.Verdict, err, want)
		}
	}
}

// Who was in time only if its start-up was that long is not said to have been.
func TestUndecidedInWords(t *testing.T) {
	for undecided, want := range map[int]string{0: "in time in the one scenario (kept)", 1: "in time in the one scenario (kept)", 2: "not known to be in time; too close to its start-up to tell in 1"} {
		c := &matrixColumn{}
		c.count(newMatrixCell(Series{Series: timeline.Series{N: 20, Promise: map[string]int{"kept": 20}, Undecided: undecided}}))
		if got := c.InWords(); got != want {
			t.Errorf("%d undecided: %q, want %q", undecided, got, want)
		}
	}
}

// undecidedSeries is of a client by --exec whose median ended so much too late,
// and whose start-ups vary so much that it did not count as late.
func undecidedSeries(scenario, promise string, overshoot float64) Series {
	return Series{Series: timeline.Series{Scenario: scenario, Variant: "mine", Label: "mine", Client: eventlog.ExecClient, N: 20, Planned: 20, BudgetMs: 1000, MarginMs: 700,
		Promise: map[string]int{promise: 20}, Outcomes: map[string]int{}, StartupMs: &timeline.Quantiles{Median: 900}, OvershootMs: &timeline.Quantiles{Median: overshoot},
		DurationMs: &timeline.Durations{Median: 1900 + overshoot}, NetDurationMs: &timeline.Durations{Median: 1000 + overshoot}}, Verdict: Unjudged}
}

// Medians of 126, 528 and 529 ms over are in time in no table, sign or sentence.
func TestNotKnownIsNotInTime(t *testing.T) {
	list := []Series{undecidedSeries("a", "kept", 126), undecidedSeries("b", "failed_in_time", 528), undecidedSeries("c", "failed_in_time", 529)}
	m := newMatrix(Input{Summary: &Summary{}}, []group{{name: "a", series: list[:1]}, {name: "b", series: list[1:2]}, {name: "c", series: list[2:]}})
	if got, want := m.Columns[0].InWords(), "not known to be in time; too close to its start-up to tell in 3"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
	if m.Columns[0].Held() || m.Columns[0].Broke() || !m.unsure() {
		t.Error("it held, or broke")
	}
	for _, s := range list {
		if c := newMatrixCell(s); c.signed() != "≈ "+c.Median || c.Note != "too close to tell" || promisesText(s.Series) != "undecided" || c.lateBy() != "" {
			t.Errorf("%q, %q, %q, late by %q", c.signed(), c.Note, promisesText(s.Series), c.lateBy())
		}
	}
	late := evidence{series: list[0].Series}
	if c := late.undecided(Check{Requirement: "late", Verdict: Pass}); c.Verdict != Inconclusive {
		t.Errorf("%+v", c)
	}
}

// Where some scenarios are known, only these are said to be in time.
func TestSomeAreKnown(t *testing.T) {
	known := undecidedSeries("a", "kept", -50)
	m := newMatrix(Input{Summary: &Summary{}}, []group{{name: "a", series: []Series{known}}, {name: "b", series: []Series{undecidedSeries("b", "kept", 126)}}})
	if got, want := m.Columns[0].InWords(), "in time in 1 of 2 scenarios (kept); too close to its start-up to tell in 1"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
}

// 5 of 245 operations too late come first: the run may have failed by them.
func TestLateOperationsComeFirst(t *testing.T) {
	c := &matrixColumn{}
	c.count(newMatrixCell(Series{Series: timeline.Series{N: 245, Promise: map[string]int{"kept": 240, "late": 5}}}))
	if got, want := c.InWords(), "5 of 245 operations too late; typically in time in the one scenario (kept)"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
}

// A success after 1193 ms net of 1000 is no call in time, however wide the margin.
func TestUnsureOperation(t *testing.T) {
	o := &timeline.Operation{Op: "o", Label: "mine", Variant: "mine", Client: eventlog.ExecClient, Finished: true, Outcome: eventlog.Success, Promise: timeline.Kept, InBudget: true,
		BudgetMs: 1000, DurationMs: 3657, StartupMs: new(2464.0), NetMs: new(1193.0), Overshoot: 193}
	b := newBlock(Subject{Operation: o}, coarse)
	if mark := b.Lanes[0].Marks[0].Label; b.Promise != unsure || mark != "too close to tell" {
		t.Errorf("promise %s, mark %q", b.Promise, mark)
	}
	want := "Nobody can tell whether the call was in time: it took 1193 ms of 1000, net of a start-up of 2464.0 ms (measured with the same command under healthy), and the length of that start-up decides."
	if got := Sentence(o); got != want {
		t.Errorf("%q", got)
	}
	if got := operationArgs(o)["promise"]; got != unsure {
		t.Errorf("%v in the trace", got)
	}
	if class := dotClass(o); class == "dots promise-kept" {
		t.Errorf("class %q", class)
	}
}

// A margin is read by people, however long.
func TestThreeDigits(t *testing.T) {
	for x, want := range map[float64]string{7.5: "7.5", 13.68: "13.7", 999.4: "999", 999.6: "1000", 1733.4: "1733"} {
		if got := threeDigits(x); got != want {
			t.Errorf("%v: %q, want %q", x, got, want)
		}
	}
}
