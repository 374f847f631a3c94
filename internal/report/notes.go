package report

import (
	"fmt"
	"slices"
	"strings"

	"github.com/deadlinelab/deadlinelab/internal/timeline"
)

// note is a warning and whom it concerns.
type note struct {
	labels  []string
	text    string
	counted bool // each label has a number of operations with it
}

// everybody tells a note on all series of the run from one on some.
func (n note) everybody(s *Summary) bool {
	return !n.counted && len(n.labels) == len(s.Series) && len(s.Series) > 1
}

func (n note) about() string { return strings.Join(n.labels, ", ") }

// notes are the warnings of several series and what no operation shows alone.
// Equal ones are joined, and those that differ in their numbers alone: "A 4, B 3:
// so many operations are invalid"; of one series alone it stays "4 of 90".
func notes(series []Series) []note {
	var list []note
	place, own := map[string]int{}, map[int]note{}
	for _, s := range series {
		for _, w := range slices.Concat(s.Warnings, together(s.Series)) {
			one := noteOf(s, w)
			i, known := place[one.text]
			if !known {
				i = len(list)
				place[one.text] = i
				list = append(list, note{text: one.text, counted: one.counted})
			}
			list[i].labels = append(list[i].labels, one.labels...)
			own[i] = note{[]string{s.Label}, w, one.counted}
		}
	}
	return unjoined(list, own)
}

// unjoined gives back its own words to what was joined with nothing.
func unjoined(list []note, own map[int]note) []note {
	for i, n := range list {
		if n.counted && len(n.labels) == 1 {
			list[i] = own[i]
		}
	}
	return list
}

// noteOf takes the number out of a warning that is about some operations.
func noteOf(s Series, warning string) note {
	for reason, n := range map[string]int{timeline.InvalidReason: s.Invalid - s.Broken, timeline.DisturbedReason: s.Disturbed} {
		if strings.HasSuffix(warning, " "+reason) {
			return note{[]string{fmt.Sprintf("%s %d", s.Label, n)}, "so many " + reason, true}
		}
	}
	return note{[]string{s.Label}, warning, false}
}

// shared are the notes that every series of the run has: they are said once.
func (s *Summary) shared() []note {
	var list []note
	for _, n := range notes(s.Series) {
		if n.everybody(s) {
			list = append(list, n)
		}
	}
	return list
}

// notesOf are the notes of a group that are not shared by the whole run.
func (s *Summary) notesOf(g group) []note {
	shared := map[string]bool{}
	for _, n := range s.shared() {
		shared[n.text] = true
	}
	var list []note
	for _, n := range notes(g.series) {
		if !shared[n.text] {
			list = append(list, n)
		}
	}
	return list
}
