package view

import (
	"fmt"
	"slices"
	"strings"

	"github.com/deadlinelab/deadlinelab/internal/scenario"
	"github.com/deadlinelab/deadlinelab/internal/textui"
	"github.com/deadlinelab/deadlinelab/internal/verdict"
)

// The ladder is the matrix of a run that goes beyond the core: its rows stand
// in the order of a request's life, grouped by rung.

// Rung is the rows of one stall point.
type Rung struct {
	scenario.Rung
	Rows []Row
}

// Heading is "body: the body of the answer, up to its last byte"; empty where
// rows are not grouped.
func (r Rung) Heading() string {
	if r.Name == "" || r.About == "" {
		return textui.Plain(r.Name)
	}
	return textui.Plain(r.Name) + ": " + r.About
}

// laddered tells whether a run goes beyond the core.
func laddered(in Input, groups []verdict.Group) bool {
	return slices.ContainsFunc(groups, func(g verdict.Group) bool {
		s := in.ScenarioNamed(g.Name)
		return s != nil && s.Rung != "" && s.Rung != scenario.CoreRung
	})
}

// onRungs orders the groups of a ladder by their stall points.
func onRungs(in Input, groups []verdict.Group) []verdict.Group {
	list := slices.Clone(groups)
	slices.SortStableFunc(list, func(a, b verdict.Group) int {
		return scenario.CompareRungs(in.stallPoint(a.Name), in.stallPoint(b.Name))
	})
	return list
}

func (in Input) stallPoint(name string) string {
	if s := in.ScenarioNamed(name); s != nil {
		return s.StallPoint()
	}
	return ""
}

// noRung is the heading of scenarios whose files name none.
const noRung = "on no rung"

// Rungs are the rows with their headings; one without a heading when the
// matrix is no ladder.
func (m Matrix) Rungs() []Rung {
	var list []Rung
	for _, row := range m.Rows {
		if n := len(list); n == 0 || list[n-1].Name != row.Rung {
			list = append(list, Rung{Rung: scenario.FindRung(row.Rung)})
		}
		last := &list[len(list)-1]
		last.Rows = append(last.Rows, row)
	}
	return list
}

// order is that of a ladder's columns: letters first, by the alphabet, then
// names as they come.
func (m *Matrix) order() {
	rank := func(c *Column) string {
		if textui.Width(c.Label) == 1 {
			return c.Label
		}
		return "~"
	}
	slices.SortStableFunc(m.Columns, func(a, b *Column) int { return strings.Compare(rank(a), rank(b)) })
}

// Wide tells a matrix whose columns must be narrow.
func (m Matrix) Wide() bool { return len(m.Columns) > wideFrom }

// wideFrom is how many columns still have room for words.
const wideFrom = 9

// Codes are short names of the columns, each its own: the label if it is a
// letter, else two letters of the name, else a number.
func (m Matrix) Codes() []string {
	taken := map[string]bool{}
	for _, c := range m.Columns {
		taken[c.Label] = taken[c.Label] || textui.Width(c.Label) == 1
	}
	codes := make([]string, len(m.Columns))
	for i, c := range m.Columns {
		codes[i] = c.Label
		if textui.Width(c.Label) != 1 {
			codes[i] = freeCode(c.Variant, i, taken)
			taken[codes[i]] = true
		}
	}
	return codes
}

// freeCode prefers the initials of the first two words.
func freeCode(name string, n int, taken map[string]bool) string {
	letters := []rune(strings.Map(codeLetter, name))
	tries := []string{}
	if words := strings.FieldsFunc(string(letters), func(r rune) bool { return r == '_' }); len(words) > 1 {
		tries = append(tries, words[0][:1]+words[1][:1])
	}
	for _, r := range letters[min(1, len(letters)):] {
		if r != '_' && letters[0] != '_' {
			tries = append(tries, string([]rune{letters[0], r}))
		}
	}
	for _, code := range tries {
		if !taken[code] {
			return code
		}
	}
	return fmt.Sprint(n + 1)
}

// codeLetter keeps what every terminal shows in one column.
func codeLetter(r rune) rune {
	if r == '_' || r >= 'a' && r <= 'z' || r >= '0' && r <= '9' {
		return r
	}
	return -1
}
