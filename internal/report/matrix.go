package report

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/deadlinelab/deadlinelab/internal/timeline"
)

// matrix is scenarios × variants: what each promise was worth.
type matrix struct {
	Columns []*matrixColumn
	Rows    []matrixRow
	Wrong   []string // what in the run's directory is not what the run wrote
}

// matrixColumn is one variant, and how often it was in time: neither late nor
// unbounded.
type matrixColumn struct {
	Label, Variant, Summary string
	Client                  *Client                  // in a process of its own; nil for a variant
	NotApplicable           int                      // scenarios in which it cannot be measured
	Undecided               int                      // scenarios in which too many operations ended too near the deadline to be judged net of a start-up
	InTime, Scenarios       int                      // scenarios in which the commonest promise was in time
	Overrun, Operations     int                      // operations that were late or unbounded
	Broken                  []*matrixCell            // where it was typically late or unbounded
	promises                map[timeline.Promise]int // scenarios by commonest promise
}

type matrixRow struct {
	Scenario, ID, Question string
	Rung                   string        // empty where rows are not grouped
	Cells                  []*matrixCell // one for each column; nil where a variant was not tried
}

// matrixCell is one series.
type matrixCell struct {
	Series  Series
	ID      string           // of its place in the page
	Promise timeline.Promise // typical, as far as it is known; empty without an operation
	Dress   dress            // of that
	Median  string
	Note    string // the promise in words, with its figure
	Mix     string // what other operations got; empty if all got the same
	Verdict verdictMark
}

// verdictMark is the small sign of a verdict, and its words.
type verdictMark struct{ Sign, Word, Class string }

var verdictMarks = map[Verdict]verdictMark{Pass: {"✓", "as expected", "pass"}, Fail: {"✗", "not as expected", "fail"},
	Inconclusive: {"?", "inconclusive", "inconclusive"}, Unjudged: {"–", "nothing expected", "unjudged"}, NotApplicable: {"", "not applicable", "na"}}

// newMatrix lays the series out; summaries say what each variant does, by name.
func newMatrix(in Input, groups []group) matrix {
	m := matrix{Wrong: in.Summary.Mismatches}
	ladder := laddered(in, groups)
	for _, g := range groups {
		for _, s := range g.series {
			if m.place(s) < 0 {
				m.Columns = append(m.Columns, &matrixColumn{Label: s.Label, Variant: s.Variant, Summary: in.VariantSummaries[s.Variant], Client: in.client(s.Variant)})
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
			if row.Rung = in.stallPoint(g.name); row.Rung == "" {
				row.Rung = noRung
			}
		}
		m.Rows = append(m.Rows, row)
	}
	return m
}

// unsure tells whether of some cells nobody can tell.
func (m matrix) unsure() bool {
	return slices.ContainsFunc(m.Columns, func(c *matrixColumn) bool { return c.Undecided > 0 })
}

// place is the column of a series, -1 if it has none yet.
func (m matrix) place(s Series) int {
	return slices.IndexFunc(m.Columns, func(c *matrixColumn) bool { return c.Label == s.Label && c.Variant == s.Variant })
}

func (m matrix) row(in Input, g group) matrixRow {
	row := matrixRow{Scenario: g.name, ID: scenarioID(g.name), Question: in.question(g.name), Cells: make([]*matrixCell, len(m.Columns))}
	for _, s := range g.series {
		i := m.place(s)
		row.Cells[i] = newMatrixCell(s)
		m.Columns[i].count(row.Cells[i])
	}
	return row
}

// Ranked are the columns, those that were in time everywhere first.
func (m matrix) Ranked() []*matrixColumn {
	list := slices.Clone(m.Columns)
	slices.SortStableFunc(list, func(a, b *matrixColumn) int {
		return cmp.Or(cmp.Compare(len(a.Broken), len(b.Broken)), cmp.Compare(a.Undecided, b.Undecided))
	})
	return list
}

func (in Input) question(name string) string {
	if s := in.scenarioNamed(name); s != nil {
		return s.Question
	}
	return ""
}

func (c *matrixColumn) count(one *matrixCell) {
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
	case one.inTime():
		c.InTime++
	case one.Promise == unsure:
		c.Undecided++
	default:
		c.Broken = append(c.Broken, one)
	}
}

func (c *matrixCell) inTime() bool { return inTime(c.Promise) }

// Overrun is by how much the typical operation was late.
func (c *matrixCell) Overrun() string {
	if c.Series.DurationMs == nil || c.Promise == timeline.Unbounded {
		return "without end"
	}
	return "by " + msText(overrun(c.Series)) + " ms"
}

// overrun is the median distance from the deadline in ms, which is the caller's
// own where that is earlier than the budget's end.
func overrun(s Series) float64 {
	if s.OvershootMs != nil {
		return s.OvershootMs.Median
	}
	return s.DurationMs.Median - s.BudgetMs
}

// Held tells a variant that is known to have been in time in every scenario.
func (c *matrixColumn) Held() bool { return c.InTime == c.Scenarios }

// Broke tells one that was typically too late in a scenario.
func (c *matrixColumn) Broke() bool { return len(c.Broken) > 0 }

// InWords says where the variant was too late and by how much; where it never
// was, what its callers got instead.
func (c *matrixColumn) InWords() string {
	if !c.Broke() {
		return c.heldWords() + c.Elsewhere()
	}
	var late []string
	for _, one := range c.Broken {
		late = append(late, plain(one.Series.Scenario)+" "+one.Overrun())
	}
	return fmt.Sprintf("too late in %d of %d: %s", len(c.Broken), c.Scenarios, strings.Join(late, ", ")) + c.Elsewhere()
}

// heldWords is of a variant that was too late in none, as far as it is known. One
// whose typical call was in time was not in time.
func (c *matrixColumn) heldWords() string {
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
func (c *matrixColumn) got() string {
	var parts []string
	for _, p := range timeline.Promises {
		if n := c.promises[p]; n > 0 && n == c.InTime {
			return dressOf(string(p)).Word
		} else if n > 0 {
			parts = append(parts, fmt.Sprintf("%d %s", n, dressOf(string(p)).Word))
		}
	}
	return strings.Join(parts, ", ")
}

// Tried tells whether there is anything to say about the variant.
func (c *matrixColumn) Tried() bool { return c.Scenarios > 0 }

// Name is "D operation_deadline".
func (c *matrixColumn) Name() string { return fullName(c.Label, c.Variant) }

func newMatrixCell(s Series) *matrixCell {
	promise := typicalPromise(s.Series)
	c := &matrixCell{Series: s, ID: seriesID(s), Promise: promise, Dress: dressOf(string(promise)), Median: unknown, Verdict: verdictMarks[s.Verdict]}
	if s.NotApplicable != "" {
		c.Dress, c.Median = notApplicableDress, notApplicableWord
	}
	c.Note = c.Dress.Word
	if d := s.JudgedMs(); d != nil {
		c.Median = msText(d.Median)
		if promise == timeline.Late {
			c.Note = fmt.Sprintf("%s ms late", msText(overrun(s)))
		}
	}
	if len(s.Promise) > 1 && promise != unsure {
		c.Mix = otherPromises(s)
	}
	return c
}

// Title is the cell in words.
func (c *matrixCell) Title() string { return cellTitle(c) }

// otherPromises is "2 late" beside the commonest promise.
func otherPromises(s Series) string {
	var parts []string
	for _, k := range mixKeys(s.Promise, promiseOrder)[1:] {
		parts = append(parts, fmt.Sprintf("%d %s", s.Promise[k], dressOf(k).Word))
	}
	return strings.Join(parts, ", ")
}

// scenarioID is the id of a scenario's section in the page.
func scenarioID(name string) string { return "s-" + slug(name) }

func seriesID(s Series) string { return scenarioID(s.Scenario) + "-" + slug(s.Label) }

// slug keeps what an id in an address needs no escaping for.
func slug(text string) string {
	return strings.Map(func(r rune) rune {
		if r == '_' || r == '-' || r >= '0' && r <= '9' || r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' {
			return r
		}
		return '-'
	}, text)
}
