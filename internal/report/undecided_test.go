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
