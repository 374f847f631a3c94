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
