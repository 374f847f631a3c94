package report

import (
	"fmt"
	"slices"
	"strings"

	"github.com/deadlinelab/deadlinelab/internal/scenario"
)

// The ladder is the matrix of a run that goes beyond the core: its rows stand
// in the order of a request's life, grouped by rung.

// matrixRung is the rows of one stall point.
type matrixRung struct {
	scenario.Rung
	Rows []matrixRow
}

// Heading is "body: the body of the answer, up to its last byte"; empty where
// rows are not grouped.
func (r matrixRung) Heading() string {
	if r.Name == "" || r.About == "" {
		return plain(r.Name)
	}
	return plain(r.Name) + ": " + r.About
}

// laddered tells whether a run goes beyond the core.
func laddered(in Input, groups []group) bool {
	return slices.ContainsFunc(groups, func(g group) bool {
		s := in.scenarioNamed(g.name)
		return s != nil && s.Rung != "" && s.Rung != scenario.CoreRung
	})
}

// onRungs orders the groups of a ladder by their stall points.
func onRungs(in Input, groups []group) []group {
	list := slices.Clone(groups)
	slices.SortStableFunc(list, func(a, b group) int { return scenario.CompareRungs(in.stallPoint(a.name), in.stallPoint(b.name)) })
	return list
}

func (in Input) stallPoint(name string) string {
	if s := in.scenarioNamed(name); s != nil {
		return s.StallPoint()
	}
	return ""
}

// noRung is the heading of scenarios whose files name none.
const noRung = "on no rung"

// Rungs are the rows with their headings; one without a heading when the
// matrix is no ladder.
func (m matrix) Rungs() []matrixRung {
	var list []matrixRung
	for _, row := range m.Rows {
		if n := len(list); n == 0 || list[n-1].Name != row.Rung {
			list = append(list, matrixRung{Rung: scenario.FindRung(row.Rung)})
		}
		last := &list[len(list)-1]
		last.Rows = append(last.Rows, row)
	}
	return list
}

// order is that of a ladder's columns: letters first, by the alphabet, then
// names as they come.
func (m *matrix) order() {
	rank := func(c *matrixColumn) string {
		if runeLen(c.Label) == 1 {
			return c.Label
		}
		return "~"
	}
	slices.SortStableFunc(m.Columns, func(a, b *matrixColumn) int { return strings.Compare(rank(a), rank(b)) })
}

// Wide tells a matrix whose columns must be narrow.
func (m matrix) Wide() bool { return len(m.Columns) > wideFrom }

// wideFrom is how many columns still have room for words.
const wideFrom = 9

// codes are short names of the columns, each its own: the label if it is a
// letter, else two letters of the name, else a number.
func (m matrix) codes() []string {
	taken := map[string]bool{}
	for _, c := range m.Columns {
		taken[c.Label] = taken[c.Label] || runeLen(c.Label) == 1
	}
	codes := make([]string, len(m.Columns))
	for i, c := range m.Columns {
		codes[i] = c.Label
		if runeLen(c.Label) != 1 {
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
