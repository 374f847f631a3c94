package report

import (
	"slices"
	"strings"

	"github.com/deadlinelab/deadlinelab/internal/timeline"
)

// The measures of the ladder in columns of a terminal.
const (
	ladderNames  = 28 // longest name of a scenario
	ladderColumn = 3  // a promise, a doubt, a blank
)

// ladder sets every promise as one sign, many clients beside each other: what
// no table of figures shows at a glance.
func (t textReport) ladder() {
	m := newMatrix(t.in, t.in.Summary.groups())
	if len(m.Rows) < 2 || m.Rows[0].Rung == "" {
		return
	}
	l := textLadder{matrix: m, codes: m.codes(), signs: signsOf(t.options.ASCII), names: min(ladderNameWidth(m), t.width()/2)}
	t.wrapped("", "What each promise was worth, in the order of a request's life")
	t.lines("")
	room := max((t.width()-l.names+1)/ladderColumn, 1)
	for from := 0; from < len(m.Columns); from += room {
		t.lines(l.block(from, min(from+room, len(m.Columns)))...)
		t.lines("")
	}
	t.wrapped("signs      ", l.legend())
	if t.width() < defaultWidth {
		t.wrapped("clients    ", strings.Join(l.clients(), ", "))
	} else {
		for i, line := range flowed(l.clients(), ", ", t.width()-11, "") {
			t.lines([]string{"clients    ", "           "}[min(i, 1)] + line)
		}
	}
	t.lines("")
}

type textLadder struct {
	matrix matrix
	codes  []string
	signs  promiseSigns
	names  int // columns of the names
}

func ladderNameWidth(m matrix) int {
	widest := 0
	for _, row := range m.Rows {
		widest = max(widest, runeLen(plain(row.Scenario)))
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
			if from == 0 || slices.ContainsFunc(row.Cells[from:to], func(c *matrixCell) bool { return c != nil }) {
				rows = append(rows, l.row(row, from, to))
			}
		}
		if len(rows) > 0 {
			lines = append(append(lines, plain(rung.Name)), rows...)
		}
	}
	return lines
}

func (l textLadder) row(row matrixRow, from, to int) string {
	line := pad(" "+cut(plain(row.Scenario), l.names-2, l.signs.glyphs), l.names)
	for _, c := range row.Cells[from:to] {
		line += pad(l.signs.of(c), ladderColumn)
	}
	return line
}

func pad(text string, columns int) string {
	return text + strings.Repeat(" ", max(columns-runeLen(text), 0))
}

func (l textLadder) legend() string {
	var parts []string
	for _, p := range timeline.Promises {
		parts = append(parts, l.signs.promise(string(p))+" "+dressOf(string(p)).Word)
	}
	if l.matrix.unsure() {
		parts = append(parts, l.signs.promise(string(unsure))+" "+dressOf(string(unsure)).Word)
	}
	if slices.ContainsFunc(l.matrix.Columns, func(c *matrixColumn) bool { return c.NotApplicable > 0 }) {
		parts = append(parts, notApplicableSign+" not applicable")
	}
	parts = append(parts, l.signs.promise("")+" no operation counted", l.signs.absent+" not tried")
	return strings.Join(parts, ", ") + "; beside it: " + l.signs.fail + " not as expected, ? inconclusive, * not every operation"
}

// clients say what each code stands for.
func (l textLadder) clients() []string {
	var parts []string
	for i, c := range l.matrix.Columns {
		parts = append(parts, plain(l.codes[i])+" "+plain(c.Variant))
	}
	return parts
}

// notApplicableSign stands where the client cannot be measured.
const notApplicableSign = "/"

// promiseSigns are the shapes of the promises, in ASCII their letters.
type promiseSigns struct {
	glyphs       glyphs
	ascii        map[string]string // nil = shapes
	absent, fail string
}

func signsOf(ascii bool) promiseSigns {
	if ascii {
		return promiseSigns{glyphs: asciiGlyphs, absent: ".", fail: "!",
			ascii: map[string]string{"kept": "k", "failed_in_time": "f", "late": "L", "unbounded": "U", "cancelled": "c", string(unsure): "~", "": "-"}}
	}
	return promiseSigns{glyphs: unicodeGlyphs, absent: "·", fail: "✗"}
}

func (s promiseSigns) promise(p string) string {
	if s.ascii == nil {
		return dressOf(p).Glyph
	}
	if sign, known := s.ascii[p]; known {
		return sign
	}
	return s.ascii[""]
}

// of is a cell's promise with the weightiest doubt beside it.
func (s promiseSigns) of(c *matrixCell) string {
	switch {
	case c == nil:
		return s.absent
	case c.Series.NotApplicable != "":
		return notApplicableSign
	}
	return s.promise(string(c.Promise)) + s.doubt(c)
}

func (s promiseSigns) doubt(c *matrixCell) string {
	switch {
	case c.Series.Verdict == Fail:
		return s.fail
	case c.Series.Verdict == Inconclusive:
		return "?"
	case c.Mix != "":
		return "*"
	}
	return ""
}
