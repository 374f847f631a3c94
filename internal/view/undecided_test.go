package view

import (
	"testing"

	"github.com/deadlinelab/deadlinelab/internal/eventlog"
	"github.com/deadlinelab/deadlinelab/internal/timeline"
	"github.com/deadlinelab/deadlinelab/internal/verdict"
	"github.com/deadlinelab/deadlinelab/internal/wording"
)

// Who was in time only if its start-up was that long is not said to have been.
func TestUndecidedInWords(t *testing.T) {
	for undecided, want := range map[int]string{0: "in time in the one scenario (kept)", 1: "in time in the one scenario (kept)", 2: "not known to be in time; too close to its start-up to tell in 1"} {
		c := &Column{}
		c.count(NewMatrixCell(verdict.Series{Series: timeline.Series{N: 20, Promise: map[string]int{"kept": 20}, Undecided: undecided}}))
		if got := c.InWords(); got != want {
			t.Errorf("%d undecided: %q, want %q", undecided, got, want)
		}
	}
}

// undecidedSeries is of a client by --exec whose median ended so much too late,
// and whose start-ups vary so much that it did not count as late.
func undecidedSeries(scenario, promise string, overshoot float64) verdict.Series {
	return verdict.Series{Series: timeline.Series{Scenario: scenario, Variant: "mine", Label: "mine", Client: eventlog.ExecClient, N: 20, Planned: 20, BudgetMs: 1000, MarginMs: 700,
		Promise: map[string]int{promise: 20}, Outcomes: map[string]int{}, StartupMs: &timeline.Quantiles{Median: 900}, OvershootMs: &timeline.Quantiles{Median: overshoot},
		DurationMs: &timeline.Durations{Median: 1900 + overshoot}, NetDurationMs: &timeline.Durations{Median: 1000 + overshoot}}, Verdict: verdict.Unjudged}
}

// Medians of 126, 528 and 529 ms over are in time in no table, sign or sentence.
func TestNotKnownIsNotInTime(t *testing.T) {
	list := []verdict.Series{undecidedSeries("a", "kept", 126), undecidedSeries("b", "failed_in_time", 528), undecidedSeries("c", "failed_in_time", 529)}
	m := NewMatrix(Input{Summary: &verdict.Summary{}}, []verdict.Group{{Name: "a", Series: list[:1]}, {Name: "b", Series: list[1:2]}, {Name: "c", Series: list[2:]}})
	if got, want := m.Columns[0].InWords(), "not known to be in time; too close to its start-up to tell in 3"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
	if m.Columns[0].Held() || m.Columns[0].Broke() || !m.Unsure() {
		t.Error("it held, or broke")
	}
	for _, s := range list {
		if c := NewMatrixCell(s); c.Signed() != "≈ "+c.Median || c.Note != "too close to tell" || wording.PromisesText(s.Series) != "undecided" || c.LateBy() != "" {
			t.Errorf("%q, %q, %q, late by %q", c.Signed(), c.Note, wording.PromisesText(s.Series), c.LateBy())
		}
	}
}

// Where some scenarios are known, only these are said to be in time.
func TestSomeAreKnown(t *testing.T) {
	known := undecidedSeries("a", "kept", -50)
	m := NewMatrix(Input{Summary: &verdict.Summary{}}, []verdict.Group{{Name: "a", Series: []verdict.Series{known}}, {Name: "b", Series: []verdict.Series{undecidedSeries("b", "kept", 126)}}})
	if got, want := m.Columns[0].InWords(), "in time in 1 of 2 scenarios (kept); too close to its start-up to tell in 1"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
}

// 5 of 245 operations too late come first: the run may have failed by them.
func TestLateOperationsComeFirst(t *testing.T) {
	c := &Column{}
	c.count(NewMatrixCell(verdict.Series{Series: timeline.Series{N: 245, Promise: map[string]int{"kept": 240, "late": 5}}}))
	if got, want := c.InWords(), "5 of 245 operations too late; typically in time in the one scenario (kept)"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
}
