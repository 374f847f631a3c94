package report

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

func warned(scenario, label string, warnings ...string) Series {
	var s Series
	s.Scenario, s.Label, s.Warnings = scenario, label, warnings
	return s
}

// What concerns all is said once for the run, what concerns several once for
// their scenario.
func TestNotesAreJoined(t *testing.T) {
	s := &Summary{Series: []Series{warned("x", "A", "few", "slow"), warned("x", "B", "few", "slow"), warned("y", "A", "few", "odd")}}
	same := cmp.AllowUnexported(note{})
	if diff := cmp.Diff([]note{{[]string{"A", "B", "A"}, "few"}}, s.shared(), same); diff != "" {
		t.Error(diff)
	}
	groups := s.groups()
	if diff := cmp.Diff([]note{{[]string{"A", "B"}, "slow"}}, s.notesOf(groups[0]), same); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff([]note{{[]string{"A"}, "odd"}}, s.notesOf(groups[1]), same); diff != "" {
		t.Error(diff)
	}
}
