package view

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/deadlinelab/deadlinelab/internal/textui"
	"github.com/deadlinelab/deadlinelab/internal/timeline"
	"github.com/deadlinelab/deadlinelab/internal/verdict"
	"github.com/deadlinelab/deadlinelab/internal/wording"
)

// Matrix is scenarios × variants: what each promise was worth.
type Matrix struct {
	Columns []*Column
	Rows    []Row
	Wrong   []string // what in the run's directory is not what the run wrote
}

// Column is one variant, and how often it was in time: neither late nor
// unbounded.
type Column struct {
	Label, Variant, Summary string
	Client                  *verdict.Client          // in a process of its own; nil for a variant
	NotApplicable           int                      // scenarios in which it cannot be measured
	Undecided               int                      // scenarios in which too many operations ended too near the deadline to be judged net of a start-up
	InTime, Scenarios       int                      // scenarios in which the commonest promise was in time
	Overrun, Operations     int                      // operations that were late or unbounded
	Broken                  []*Cell                  // where it was typically late or unbounded
	promises                map[timeline.Promise]int // scenarios by commonest promise
}

type Row struct {
	Scenario, ID, Question string
	Rung                   string  // empty where rows are not grouped
	Cells                  []*Cell // one for each column; nil where a variant was not tried
}

// Cell is one series.
type Cell struct {
	Series  verdict.Series
	ID      string           // of its place in the page
	Promise timeline.Promise // typical, as far as it is known; empty without an operation
	Dress   wording.Dress    // of that
	Median  string
	Note    string // the promise in words, with its figure
	Mix     string // what other operations got; empty if all got the same
	Verdict VerdictMark
}

// VerdictMark is the small sign of a verdict, and its words.
type VerdictMark struct{ Sign, Word, Class string }

var VerdictMarks = map[verdict.Verdict]VerdictMark{verdict.Pass: {"✓", "as expected", "pass"}, verdict.Fail: {"✗", "not as expected", "fail"},
	verdict.Inconclusive: {"?", "inconclusive", "inconclusive"}, verdict.Unjudged: {"–", "nothing expected", "unjudged"}, verdict.NotApplicable: {"", "not applicable", "na"}}

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

func (in Input) Question(name string) string {
	if s := in.ScenarioNamed(name); s != nil {
		return s.Question
	}
	return ""
}

func (c *Column) count(one *Cell) {
	s := one.Series
	if s.NotApplicable != "" {
		c.NotApplicable++
	}
	if s.N == 0 {
		return
	}
	c.Scenarios++
	if c.promises == nil {
		c.promises = map[timeline.Promise]int{}
	}
	c.promises[one.Promise]++
	c.Operations += s.N
	c.Overrun += s.Promise[string(timeline.Late)] + s.Promise[string(timeline.Unbounded)]
	switch {
	case one.InTime():
		c.InTime++
	case one.Promise == wording.Unsure:
		c.Undecided++
	default:
		c.Broken = append(c.Broken, one)
	}
}

func (c *Cell) InTime() bool { return wording.InTime(c.Promise) }

// Overrun is by how much the typical operation was late.
func (c *Cell) Overrun() string {
	if c.Series.DurationMs == nil || c.Promise == timeline.Unbounded {
		return "without end"
	}
	return "by " + wording.MsText(overrun(c.Series)) + " ms"
}

// overrun is the median distance from the deadline in ms, which is the caller's
// own where that is earlier than the budget's end.
func overrun(s verdict.Series) float64 {
	if s.OvershootMs != nil {
		return s.OvershootMs.Median
	}
	return s.DurationMs.Median - s.BudgetMs
}

// Held tells a variant that is known to have been in time in every scenario.
func (c *Column) Held() bool { return c.InTime == c.Scenarios }

// Broke tells one that was typically too late in a scenario.
func (c *Column) Broke() bool { return len(c.Broken) > 0 }

// InWords says where the variant was too late and by how much; where it never
// was, what its callers got instead.
func (c *Column) InWords() string {
	if !c.Broke() {
		return c.heldWords() + c.Elsewhere()
	}
	var late []string
	for _, one := range c.Broken {
		late = append(late, textui.Plain(one.Series.Scenario)+" "+one.Overrun())
	}
	return fmt.Sprintf("too late in %d of %d: %s", len(c.Broken), c.Scenarios, strings.Join(late, ", ")) + c.Elsewhere()
}

// heldWords is of a variant that was too late in none, as far as it is known. One
// whose typical call was in time was not in time.
func (c *Column) heldWords() string {
	text := fmt.Sprintf("in time in all %d scenarios", c.Scenarios)
	switch {
	case c.InTime == 0:
		return "not known to be in time"
	case !c.Held():
		text = fmt.Sprintf("in time in %d of %d scenarios", c.InTime, c.Scenarios)
	case c.Scenarios == 1:
		text = "in time in the one scenario"
	}
	if c.Overrun > 0 {
		return fmt.Sprintf("%d of %d operations too late; typically %s (%s)", c.Overrun, c.Operations, text, c.got())
	}
	return text + " (" + c.got() + ")"
}

// got is what the typical caller got, in how many scenarios: being in time with
// an error is not being served.
func (c *Column) got() string {
	var parts []string
	for _, p := range timeline.Promises {
		if n := c.promises[p]; n > 0 && n == c.InTime {
			return wording.DressOf(string(p)).Word
		} else if n > 0 {
			parts = append(parts, fmt.Sprintf("%d %s", n, wording.DressOf(string(p)).Word))
		}
	}
	return strings.Join(parts, ", ")
}

// Tried tells whether there is anything to say about the variant.
func (c *Column) Tried() bool { return c.Scenarios > 0 }

// Name is "D operation_deadline".
func (c *Column) Name() string { return wording.FullName(c.Label, c.Variant) }

func NewMatrixCell(s verdict.Series) *Cell {
	promise := wording.TypicalPromise(s.Series)
	c := &Cell{Series: s, ID: SeriesID(s), Promise: promise, Dress: wording.DressOf(string(promise)), Median: wording.Unknown, Verdict: VerdictMarks[s.Verdict]}
	if s.NotApplicable != "" {
		c.Dress, c.Median = wording.NotApplicableDress, wording.NotApplicableWord
	}
	c.Note = c.Dress.Word
	if d := s.JudgedMs(); d != nil {
		c.Median = wording.MsText(d.Median)
		if promise == timeline.Late {
			c.Note = fmt.Sprintf("%s ms late", wording.MsText(overrun(s)))
		}
	}
	if len(s.Promise) > 1 && promise != wording.Unsure {
		c.Mix = otherPromises(s)
	}
	return c
}

// Title is the cell in words.
func (c *Cell) Title() string { return CellTitle(c) }

// otherPromises is "2 late" beside the commonest promise.
func otherPromises(s verdict.Series) string {
	var parts []string
	for _, k := range wording.Keys(s.Promise, wording.PromiseOrder)[1:] {
		parts = append(parts, fmt.Sprintf("%d %s", s.Promise[k], wording.DressOf(k).Word))
	}
	return strings.Join(parts, ", ")
}

// ScenarioID is the id of a scenario's section in the page.
func ScenarioID(name string) string { return "s-" + Slug(name) }

func SeriesID(s verdict.Series) string { return ScenarioID(s.Scenario) + "-" + Slug(s.Label) }

// Slug keeps what an id in an address needs no escaping for.
func Slug(text string) string {
	return strings.Map(func(r rune) rune {
		if r == '_' || r == '-' || r >= '0' && r <= '9' || r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' {
			return r
		}
		return '-'
	}, text)
}

// Ended is "in time after 1001 ms", or "late by 120 ms".
func (c *Cell) Ended() string {
	if c.InTime() || c.Promise == wording.Unsure {
		return fmt.Sprintf("%s after %s ms", c.Dress.Word, c.Median)
	}
	return "late " + c.LateBy()
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

// Signed is "▲ 1121?": the promise, the median if there is one, a doubt.
func (c *Cell) Signed() string {
	if c.Series.NotApplicable != "" {
		return wording.NotApplicableWord
	}
	text := c.Dress.Glyph
	if c.Series.DurationMs != nil {
		text += " " + c.Median
	}
	return text + c.Doubt("✗")
}

// Elsewhere is where being in time depends on the length of a start-up, and
// where the variant cannot be measured.
func (c *Column) Elsewhere() string {
	var text string
	if c.Undecided > 0 {
		text = fmt.Sprintf("; too close to its start-up to tell in %d", c.Undecided)
	}
	if c.NotApplicable > 0 {
		text += fmt.Sprintf("; not applicable in %d", c.NotApplicable)
	}
	return text
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

// CellTitle is a cell in words.
func CellTitle(c *Cell) string {
	if c.Series.NotApplicable != "" {
		return textui.Plain(fmt.Sprintf("%s, %s: not applicable: %s", c.Series.Scenario, wording.FullName(c.Series.Label, c.Series.Variant), c.Series.NotApplicable))
	}
	text := fmt.Sprintf("%s, %s: %s, median %s ms of %g; verdict %s", c.Series.Scenario, wording.FullName(c.Series.Label, c.Series.Variant), c.Note, c.Median, c.Series.BudgetMs, c.Series.Verdict)
	if c.Mix != "" {
		text += "; also " + c.Mix
	}
	if net := c.Series.NetOf; net != "" {
		text += "; " + net
	}
	return textui.Plain(text)
}

// Doubt is the weightiest doubt about a cell; fail is the sign of a failure.
func (c *Cell) Doubt(fail string) string {
	switch {
	case c.Series.Verdict == verdict.Fail:
		return fail
	case c.Series.Verdict == verdict.Inconclusive:
		return "?"
	case c.Mix != "":
		return "*"
	}
	return ""
}

func (c *Cell) Rank() int {
	if c.InTime() {
		return 0
	}
	return 1
}

func (c *Cell) LateBy() string {
	switch {
	case c.InTime() || c.Promise == wording.Unsure:
		return ""
	case c.Series.DurationMs == nil || c.Promise == timeline.Unbounded:
		return "without end"
	}
	return wording.MsText(overrun(c.Series)) + " ms"
}
