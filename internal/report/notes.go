package report

import "strings"

// note is a warning and whom it concerns.
type note struct {
	labels []string
	text   string
}

// everybody tells a note on all series of the run from one on some.
func (n note) everybody(s *Summary) bool { return len(n.labels) == len(s.Series) && len(s.Series) > 1 }

func (n note) about() string { return strings.Join(n.labels, ", ") }

// notes joins equal warnings of several series into one.
func notes(series []Series) []note {
	var list []note
	place := map[string]int{}
	for _, s := range series {
		for _, w := range s.Warnings {
			i, known := place[w]
			if !known {
				i = len(list)
				place[w] = i
				list = append(list, note{text: w})
			}
			list[i].labels = append(list[i].labels, s.Label)
		}
	}
	return list
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
