package verdict

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

// A margin is read by people, however long.
func TestThreeDigits(t *testing.T) {
	for x, want := range map[float64]string{7.5: "7.5", 13.68: "13.7", 999.4: "999", 999.6: "1000", 1733.4: "1733"} {
		if got := threeDigits(x); got != want {
			t.Errorf("%v: %q, want %q", x, got, want)
		}
	}
}

func TestUndecidedIsNotInTime(t *testing.T) {
	late := evidence{series: timeline.Series{Client: eventlog.ExecClient, N: 20, BudgetMs: 1000, Promise: map[string]int{"kept": 20},
		StartupMs: &timeline.Quantiles{Median: 900}, OvershootMs: &timeline.Quantiles{Median: 126}}}
	if c := late.undecided(Check{Requirement: "late", Verdict: Pass}); c.Verdict != Inconclusive {
		t.Errorf("%+v", c)
	}
}
