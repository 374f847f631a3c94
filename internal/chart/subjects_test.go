package chart

import (
	"slices"
	"testing"

	"github.com/deadlinelab/deadlinelab/internal/eventlog"
	"github.com/deadlinelab/deadlinelab/internal/timeline"
)

func started(op, label, variant string, phase eventlog.Phase, serves string) *timeline.Operation {
	return &timeline.Operation{Op: op, Label: label, Variant: variant, Phase: phase, For: serves}
}

// The order of a drawing does not depend on who started first, and every
// operation brings its own helpers along.
func TestSubjects(t *testing.T) {
	run := &timeline.Run{Operations: []*timeline.Operation{
		started("h", "D", "operation_deadline", eventlog.Helper, "d"), started("m", "mine", "mine", eventlog.Measured, ""),
		started("d", "D", "operation_deadline", eventlog.Measured, ""), started("w", "C", "deadline_after_admission", eventlog.Warmup, ""),
		started("c", "C", "deadline_after_admission", eventlog.Measured, ""), started("p", "C", "deadline_after_admission", eventlog.Probe, "c"),
	}}
	ids := func(variants []string) []string {
		var list []string
		for _, s := range Subjects(run, variants) {
			id := s.Operation.Op
			for _, h := range s.Helpers {
				id += "+" + h.Op
			}
			list = append(list, id)
		}
		return list
	}
	if got, want := ids(nil), []string{"c", "d+h", "m"}; !slices.Equal(got, want) {
		t.Errorf("all: %v, want %v", got, want)
	}
	if got, want := ids([]string{"operation_deadline", "deadline_after_admission"}), []string{"d+h", "c"}; !slices.Equal(got, want) {
		t.Errorf("contrast: %v, want %v", got, want)
	}
}

// What holds the slot of a group serves every caller of it, and none of another.
func TestHelperServesItsGroup(t *testing.T) {
	caller := func(op, group string) *timeline.Operation {
		return &timeline.Operation{Op: op, Group: group, Phase: eventlog.Measured}
	}
	first, second, other := caller("ac01", "a"), caller("ac02", "a"), caller("bc01", "b")
	helper := &timeline.Operation{Op: "h", For: "ac01", Phase: eventlog.Helper}
	for o, want := range map[*timeline.Operation]bool{first: true, second: true, other: false} {
		if serves(helper, first, o) != want {
			t.Errorf("the journal of %s", o.Op)
		}
	}
}
