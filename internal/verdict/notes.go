package verdict

import (
	"fmt"
	"slices"
	"strings"

	"github.com/deadlinelab/deadlinelab/internal/timeline"
)

// Note is a warning and whom it concerns.
type Note struct {
	labels  []string
	Text    string
	counted bool // each label has a number of operations with it
}

// everybody tells a note on all series of the run from one on some.
func (n Note) everybody(s *Summary) bool {
	return !n.counted && len(n.labels) == len(s.Series) && len(s.Series) > 1
}

// About is whom the note is about.
func (n Note) About() string { return strings.Join(n.labels, ", ") }

// notes are the warnings of several series and what no operation shows alone.
// Equal ones are joined, and those that differ in their numbers alone: "A 4, B 3:
// so many operations are invalid"; of one series alone it stays "4 of 90".
func notes(series []Series) []Note {
	var list []Note
	place, own := map[string]int{}, map[int]Note{}
	for _, s := range series {
		for _, w := range slices.Concat(s.Warnings, together(s.Series)) {
			one := noteOf(s, w)
			i, known := place[one.Text]
			if !known {
				i = len(list)
				place[one.Text] = i
				list = append(list, Note{Text: one.Text, counted: one.counted})
			}
			list[i].labels = append(list[i].labels, one.labels...)
			own[i] = Note{[]string{s.Label}, w, one.counted}
		}
	}
	return unjoined(list, own)
}

// unjoined gives back its own words to what was joined with nothing.
func unjoined(list []Note, own map[int]Note) []Note {
	for i, n := range list {
		if n.counted && len(n.labels) == 1 {
			list[i] = own[i]
		}
	}
	return list
}

// noteOf takes the number out of a warning that is about some operations.
func noteOf(s Series, warning string) Note {
	for reason, n := range map[string]int{timeline.InvalidReason: s.Invalid - s.Broken, timeline.DisturbedReason: s.Disturbed} {
		if strings.HasSuffix(warning, " "+reason) {
			return Note{[]string{fmt.Sprintf("%s %d", s.Label, n)}, "so many " + reason, true}
		}
	}
	return Note{[]string{s.Label}, warning, false}
}

// Shared are the notes that every series of the run has: they are said once.
func (s *Summary) Shared() []Note {
	var list []Note
	for _, n := range notes(s.Series) {
		if n.everybody(s) {
			list = append(list, n)
		}
	}
	return list
}

// NotesOf are the notes of a group that are not shared by the whole run.
func (s *Summary) NotesOf(g Group) []Note {
	shared := map[string]bool{}
	for _, n := range s.Shared() {
		shared[n.Text] = true
	}
	var list []Note
	for _, n := range notes(g.Series) {
		if !shared[n.Text] {
			list = append(list, n)
		}
	}
	return list
}
