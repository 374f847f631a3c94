package compare

import (
	"testing"

	"github.com/deadlinelab/deadlinelab/internal/eventlog"
	"github.com/deadlinelab/deadlinelab/internal/timeline"
)

// A run whose start-ups decide is not as good as one that was in time, nor worse.
func TestUndecidedIsNotKept(t *testing.T) {
	var known, unknown []*timeline.Operation
	for range 20 {
		known = append(known, &timeline.Operation{Outcome: eventlog.Success, Promise: timeline.Kept, BudgetMs: 1000, Overshoot: -500, NetMs: new(500.0)})
		unknown = append(unknown, &timeline.Operation{Outcome: eventlog.Success, Promise: timeline.Kept, BudgetMs: 1000, Overshoot: 193, NetMs: new(1193.0)})
	}
	if e := endings(known, unknown); e.Verdict != Inconclusive || e.Promise.text() != "kept 20 → undecided 20" {
		t.Errorf("%s, %s, %q", e.Verdict, e.Reason, e.Promise.text())
	}
	if e := endings(unknown, unknown); e.Verdict != Same {
		t.Errorf("%s, %s", e.Verdict, e.Reason)
	}
}
