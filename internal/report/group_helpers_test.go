package report

import (
	"testing"

	"github.com/deadlinelab/deadlinelab/internal/eventlog"
	"github.com/deadlinelab/deadlinelab/internal/timeline"
	"github.com/deadlinelab/deadlinelab/internal/view"
)

// What holds the slot of a group is drawn beside every caller, and beside none of
// another group.
func TestHelperOfGroup(t *testing.T) {
	caller := func(op, group string) *timeline.Operation {
		return &timeline.Operation{Op: op, Group: group, Phase: eventlog.Measured}
	}
	first, second, other := caller("ac01", "a"), caller("ac02", "a"), caller("bc01", "b")
	helper := &timeline.Operation{Op: "h", For: "ac01", Phase: eventlog.Helper}
	a := view.NewArchive([]*timeline.Operation{helper, first, second, other})
	for o, want := range map[*timeline.Operation]int{first: 1, second: 1, other: 0} {
		if got := len(a.Subject(o).Helpers); got != want {
			t.Errorf("%s has %d helpers, want %d", o.Op, got, want)
		}
	}
}
