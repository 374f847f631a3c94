package report

import (
	"slices"
	"strings"

	"github.com/deadlinelab/deadlinelab/internal/term"
	"github.com/deadlinelab/deadlinelab/internal/textui"
	"github.com/deadlinelab/deadlinelab/internal/timeline"
	"github.com/deadlinelab/deadlinelab/internal/view"
	"github.com/deadlinelab/deadlinelab/internal/wording"
)

// The measures of the ladder in columns of a terminal.
const (
	ladderNames  = 28 // longest name of a scenario
	ladderColumn = 3  // a promise, a doubt, a blank
)

// ladder sets every promise as one sign, many clients beside each other: what
// no table of figures shows at a glance.
func (t textReport) ladder() {
	m := view.NewMatrix(t.in, t.in.Summary.Groups())
	if len(m.Rows) < 2 || m.Rows[0].Rung == "" {
		return
	}
	l := textLadder{matrix: m, codes: m.Codes(), signs: signsOf(t.options.ASCII), names: min(ladderNameWidth(m), t.width()/2)}
	t.wrapped("", "What each promise was worth, in the order of a request's life")
	t.lines("")
	room := max((t.width()-l.names+1)/ladderColumn, 1)
	for from := 0; from < len(m.Columns); from += room {
		t.lines(l.block(from, min(from+room, len(m.Columns)))...)
		t.lines("")
	}
	t.wrapped("signs      ", l.legend())
	if t.width() < term.DefaultWidth {
		t.wrapped("clients    ", strings.Join(l.clients(), ", "))
	} else {
		for i, line := range textui.Flowed(l.clients(), ", ", t.width()-11, "") {
			t.lines([]string{"clients    ", "           "}[min(i, 1)] + line)
		}
	}
	t.lines("")
}

type textLadder struct {
	matrix view.Matrix
	codes  []string
	signs  promiseSigns
	names  int // columns of the names
}

func ladderNameWidth(m view.Matrix) int {
	widest := 0
	for _, row := range m.Rows {
		widest = max(widest, textui.Width(textui.Plain(row.Scenario)))
	}
	return min(widest, ladderNames) + 2
}

// block is the ladder with the columns from … to. A later block leaves out what
// none of its clients met.
func (l textLadder) block(from, to int) []string {
	head := strings.Repeat(" ", l.names)
	for _, code := range l.codes[from:to] {
		head += pad(code, ladderColumn)
	}
	lines := []string{head}
	for _, rung := range l.matrix.Rungs() {
		var rows []string
		for _, row := range rung.Rows {
			if from == 0 || slices.ContainsFunc(row.Cells[from:to], func(c *view.Cell) bool { return c != nil }) {
				rows = append(rows, l.row(row, from, to))
			}
		}
		if len(rows) > 0 {
			lines = append(append(lines, textui.Plain(rung.Name)), rows...)
		}
	}
	return lines
}

func (l textLadder) row(row view.Row, from, to int) string {
	line := pad(" "+textui.Cut(textui.Plain(row.Scenario), l.names-2, l.signs.glyphs.Cut), l.names)
	for _, c := range row.Cells[from:to] {
		line += pad(l.signs.of(c), ladderColumn)
	}
	return line
}

func pad(text string, columns int) string {
	return text + strings.Repeat(" ", max(columns-textui.Width(text), 0))
}

func (l textLadder) legend() string {
	var parts []string
	for _, p := range timeline.Promises {
		parts = append(parts, l.signs.promise(string(p))+" "+wording.DressOf(string(p)).Word)
	}
	if l.matrix.Unsure() {
		parts = append(parts, l.signs.promise(string(wording.Unsure))+" "+wording.DressOf(string(wording.Unsure)).Word)
	}
	if slices.ContainsFunc(l.matrix.Columns, func(c *view.Column) bool { return c.NotApplicable > 0 }) {
		parts = append(parts, notApplicableSign+" not applicable")
	}
	parts = append(parts, l.signs.promise("")+" no operation counted", l.signs.absent+" not tried")
	return strings.Join(parts, ", ") + "; beside it: " + l.signs.fail + " not as expected, ? inconclusive, * not every operation"
}

// clients say what each code stands for.
func (l textLadder) clients() []string {
	var parts []string
	for i, c := range l.matrix.Columns {
		parts = append(parts, textui.Plain(l.codes[i])+" "+textui.Plain(c.Variant))
	}
	return parts
}

// notApplicableSign stands where the client cannot be measured.
const notApplicableSign = "/"

// promiseSigns are the shapes of the promises, in ASCII their letters.
type promiseSigns struct {
	glyphs       term.Glyphs
	ascii        map[string]string // nil = shapes
	absent, fail string
}

func signsOf(ascii bool) promiseSigns {
	if ascii {
		return promiseSigns{glyphs: term.AsciiGlyphs, absent: ".", fail: "!",
			ascii: map[string]string{"kept": "k", "failed_in_time": "f", "late": "L", "unbounded": "U", "cancelled": "c", string(wording.Unsure): "~", "": "-"}}
	}
	return promiseSigns{glyphs: term.UnicodeGlyphs, absent: "·", fail: "✗"}
}

func (s promiseSigns) promise(p string) string {
	if s.ascii == nil {
		return wording.DressOf(p).Glyph
	}
	if sign, known := s.ascii[p]; known {
		return sign
	}
	return s.ascii[""]
}

// of is a cell's promise with the weightiest doubt beside it.
func (s promiseSigns) of(c *view.Cell) string {
	switch {
	case c == nil:
		return s.absent
	case c.Series.NotApplicable != "":
		return notApplicableSign
	}
	return s.promise(string(c.Promise)) + c.Doubt(s.fail)
}
