package verdict

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/deadlinelab/deadlinelab/internal/textui"
	"github.com/deadlinelab/deadlinelab/internal/timeline"
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
	same := cmp.AllowUnexported(Note{})
	if diff := cmp.Diff([]Note{{[]string{"A", "B", "A"}, "few", false}}, s.Shared(), same); diff != "" {
		t.Error(diff)
	}
	groups := s.Groups()
	if diff := cmp.Diff([]Note{{[]string{"A", "B"}, "slow", false}}, s.NotesOf(groups[0]), same); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff([]Note{{[]string{"A"}, "odd", false}}, s.NotesOf(groups[1]), same); diff != "" {
		t.Error(diff)
	}
}

// Warnings that differ in a number alone are one note, also when all have one.
func TestNotesWithNumbersAreJoined(t *testing.T) {
	a, b := warned("x", "A", "4 of 90 "+timeline.InvalidReason), warned("x", "B", "1 of 90 "+timeline.InvalidReason, "2 of 90 "+timeline.DisturbedReason)
	a.Invalid, b.Invalid, b.Disturbed = 4, 1, 2
	s := &Summary{Series: []Series{a, b}}
	want := []Note{{[]string{"A 4", "B 1"}, "so many " + timeline.InvalidReason, true}, {[]string{"B"}, "2 of 90 " + timeline.DisturbedReason, true}}
	if diff := cmp.Diff(want, s.NotesOf(s.Groups()[0]), cmp.AllowUnexported(Note{})); diff != "" {
		t.Error(diff)
	}
	if all := s.Shared(); len(all) != 0 {
		t.Errorf("said of the whole run: %+v", all)
	}
}

// However many clients a note is about, and however long their names, its text
// fills the lines: it never stands a word a line beside the names.
func TestNoteOfManyClients(t *testing.T) {
	const text = "n = 20 is small: read the interval, not the median, and what else there is to say of it at length."
	names := []string{"net_http_readme", "net_http_bounded", "retryablehttp_bounded", "resty_bounded", "backoff_bounded", "failsafe_bounded"}
	for n := 1; n <= len(names); n++ {
		lines := textui.Hang("  note "+strings.Join(names[:n], ", ")+": ", text, 100)
		said := strings.Fields(strings.Join(lines, " "))
		if got, want := strings.Join(said, " "), "note "+strings.Join(names[:n], ", ")+": "+text; got != want {
			t.Errorf("%d clients: %q, want %q", n, got, want)
		}
		for _, line := range lines {
			if textui.Width(line) > 100 {
				t.Errorf("%d clients, %d columns: %s", n, textui.Width(line), line)
			}
		}
		if most := 1 + textui.Width(strings.Join(said, " "))/40; len(lines) > most {
			t.Errorf("%d clients: %d lines, want at most %d:\n%s", n, len(lines), most, strings.Join(lines, "\n"))
		}
	}
}
