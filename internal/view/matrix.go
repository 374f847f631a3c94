package view

import (
	"cmp"
	"slices"

	"github.com/deadlinelab/deadlinelab/internal/verdict"
	"github.com/deadlinelab/deadlinelab/internal/wording"
)

// Matrix is scenarios × variants: what each promise was worth.
type Matrix struct {
	Columns []*Column
	Rows    []Row
	Wrong   []string // what in the run's directory is not what the run wrote
}

// Row is one scenario.
type Row struct {
	Scenario, ID, Question string
	Rung                   string  // empty where rows are not grouped
	Cells                  []*Cell // one for each column; nil where a variant was not tried
}

// NewMatrix lays the series out; summaries say what each variant does, by name.
func NewMatrix(in Input, groups []verdict.Group) Matrix {
	m := Matrix{Wrong: in.Summary.Mismatches}
	ladder := laddered(in, groups)
	for _, g := range groups {
		for _, s := range g.Series {
			if m.place(s) < 0 {
				m.Columns = append(m.Columns, &Column{Label: s.Label, Variant: s.Variant, Summary: in.VariantSummaries[s.Variant], Client: in.Client(s.Variant)})
			}
		}
	}
	if ladder {
		groups = onRungs(in, groups)
		m.order()
	}
	for _, g := range groups {
		row := m.row(in, g)
		if ladder {
			if row.Rung = in.stallPoint(g.Name); row.Rung == "" {
				row.Rung = noRung
			}
		}
		m.Rows = append(m.Rows, row)
	}
	return m
}

// Unsure tells whether of some cells nobody can tell.
func (m Matrix) Unsure() bool {
	return slices.ContainsFunc(m.Columns, func(c *Column) bool { return c.Undecided > 0 })
}

// place is the column of a series, -1 if it has none yet.
func (m Matrix) place(s verdict.Series) int {
	return slices.IndexFunc(m.Columns, func(c *Column) bool { return c.Label == s.Label && c.Variant == s.Variant })
}

func (m Matrix) row(in Input, g verdict.Group) Row {
	row := Row{Scenario: g.Name, ID: ScenarioID(g.Name), Question: in.Question(g.Name), Cells: make([]*Cell, len(m.Columns))}
	for _, s := range g.Series {
		i := m.place(s)
		row.Cells[i] = NewMatrixCell(s)
		m.Columns[i].count(row.Cells[i])
	}
	return row
}

// Ranked are the columns, those that were in time everywhere first.
func (m Matrix) Ranked() []*Column {
	list := slices.Clone(m.Columns)
	slices.SortStableFunc(list, func(a, b *Column) int {
		return cmp.Or(cmp.Compare(len(a.Broken), len(b.Broken)), cmp.Compare(a.Undecided, b.Undecided))
	})
	return list
}

// Question is that of a scenario; empty if its file is not known.
func (in Input) Question(name string) string {
	if s := in.ScenarioNamed(name); s != nil {
		return s.Question
	}
	return ""
}

// MarkdownSigns explain the cells.
const MarkdownSigns = "● kept, ■ failed in time, ▲ late, ∞ unbounded, ○ cancelled; ✗ not as expected, ? inconclusive, \\* not every operation."

// MarkdownSigns explain one more where there is one.
func (m Matrix) MarkdownSigns() string {
	if !m.Unsure() {
		return MarkdownSigns
	}
	return wording.DressOf(string(wording.Unsure)).Glyph + " " + wording.DressOf(string(wording.Unsure)).Word + ", " + MarkdownSigns
}

// Nets say of each client that is a process per operation what its medians are
// net of.
func (m Matrix) Nets() (list []string) {
	for _, row := range m.Rows {
		for _, c := range row.Cells {
			if c == nil || c.Series.NetOf == "" {
				continue
			}
			if text := c.Series.Label + ": " + c.Series.NetOf; !slices.Contains(list, text) {
				list = append(list, text)
			}
		}
	}
	return list
}
