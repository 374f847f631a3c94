// Package term draws charts for a terminal, in Unicode or ASCII.
package term

import (
	"fmt"
	"strings"

	"github.com/deadlinelab/deadlinelab/internal/chart"
	"github.com/deadlinelab/deadlinelab/internal/textui"
)

// Options say how a text is to look.
type Options struct {
	Width  int  // columns; 0 = 100
	ASCII  bool // no character beyond ASCII
	Colour bool // ANSI colours

	Program string // how bench was called, for commands to copy; "" = bench
}

const (
	DefaultWidth = 100
	leastWidth   = 60
	gutter       = 13 // lane names, left of the axis
	margin       = 12 // labels that find no room on it, right of the axis
)

func (o Options) width() int {
	if o.Width == 0 {
		return DefaultWidth
	}
	return max(o.Width, leastWidth)
}

// Glyphs are those of the options: Unicode or ASCII.
func (o Options) Glyphs() Glyphs {
	if o.ASCII {
		return AsciiGlyphs
	}
	return UnicodeGlyphs
}

// drawing renders a chart as text. It only places what the chart holds.
type drawing struct {
	chart   chart.Chart
	options Options
	glyphs  Glyphs
	scale   chart.Scale
	lines   []string
	used    map[chart.BarKind]bool // fills that the legend must explain
}

// draw returns the lines of a chart: the axis, then every block.
func draw(c chart.Chart, o Options) []string {
	d := &drawing{chart: c, options: o, glyphs: o.Glyphs(), scale: chart.Scale{EndMs: c.EndMs, Columns: o.width() - gutter - margin}, used: map[chart.BarKind]bool{}}
	d.axis()
	for _, b := range c.Blocks {
		d.block(b)
	}
	d.legend()
	return d.lines
}

func (d *drawing) add(name string, c *canvas) {
	d.lines = append(d.lines, strings.TrimRight(fmt.Sprintf("  %-*s%s", gutter-2, name, c.line(d.options.Colour)), " "))
}

func (d *drawing) canvas() *canvas { return newCanvas(d.scale.Columns + margin) }

func (d *drawing) block(b chart.Block) {
	title := textui.FullName(b.Label, b.Variant)
	empty := d.canvas()
	d.deadline(empty)
	d.add("", empty)
	d.lines = append(d.lines, d.bold(textui.Cut(title+": "+textui.Plain(b.Headline), d.options.width(), d.glyphs.Cut)))
	for _, lane := range b.Lanes {
		d.lane(lane)
	}
}

func (d *drawing) bold(text string) string {
	if !d.options.Colour {
		return text
	}
	return "\x1b[1m" + text + "\x1b[0m"
}

func (d *drawing) lane(lane chart.Lane) {
	if len(lane.Bars) == 0 && len(lane.Marks) > 0 {
		d.stairs(lane)
		return
	}
	line := d.canvas()
	for _, bar := range lane.Bars {
		d.fill(line, bar)
	}
	for _, bar := range lane.Bars {
		d.inside(line, bar)
	}
	for _, m := range lane.Marks {
		d.mark(line, m)
	}
	for _, bar := range lane.Bars {
		d.beside(line, bar)
	}
	d.deadline(line)
	d.add(lane.Name, line)
}

// stairs puts marks whose labels would touch onto lines of their own.
func (d *drawing) stairs(lane chart.Lane) {
	var rows []*canvas
	for _, m := range lane.Marks {
		row := 0
		for row < len(rows) && !d.mark(rows[row], m) {
			row++
		}
		if row == len(rows) {
			rows = append(rows, d.canvas())
			d.mark(rows[row], m)
		}
	}
	name := lane.Name
	for _, r := range rows {
		d.deadline(r)
		d.add(name, r)
		name = ""
	}
}

// mark sets a mark with its label to the right, or to the left where the line
// ends; false if there is no room.
func (d *drawing) mark(line *canvas, m chart.Mark) bool {
	at, n, end := d.scale.Column(m.AtMs), textui.Width(m.Label), len(line.runes)
	switch {
	case at+n+2 <= end && line.free(at+1, min(at+n+3, end)):
		line.write(at+2, m.Label, "")
	case at+n+2 > end && line.free(max(at-n-2, 0), at):
		line.write(at-n-1, m.Label, "")
	default:
		return false
	}
	line.write(at, string(d.markGlyph(m)), "1")
	return true
}

// columns of a bar; whatever happened takes at least one.
func (d *drawing) columns(bar chart.Bar) (from, to int) {
	from = d.scale.Column(bar.FromMs)
	if bar.Kind == chart.Overdue && d.chart.DeadlineShown() && from == d.scale.Column(d.chart.DeadlineMs) {
		from++ // the deadline itself takes a column
	}
	return from, max(d.scale.Column(bar.ToMs), from+1)
}

// fill paints a bar. A part that would not fill half a column is left out; a
// bar that carries the name never is.
func (d *drawing) fill(line *canvas, bar chart.Bar) {
	columnMs := d.scale.EndMs / float64(d.scale.Columns)
	if len(bar.Labels) == 0 && bar.ToMs-bar.FromMs < columnMs/2 {
		return
	}
	from, to := d.columns(bar)
	d.used[bar.Kind] = true
	line.fill(from, to, d.glyphs.bars[bar.Kind], colours[bar.Kind])
	if bar.Open && to >= d.scale.Columns-1 {
		line.fill(d.scale.Columns-1, d.scale.Columns, d.glyphs.onward, colours[bar.Kind])
	}
}

// inside writes the longest label that leaves a column of fill on both sides.
func (d *drawing) inside(line *canvas, bar chart.Bar) {
	text := d.insideLabel(bar)
	from, to := d.columns(bar)
	line.write(from+(to-from-textui.Width(text))/2, text, "")
}

func (d *drawing) insideLabel(bar chart.Bar) string {
	from, to := d.columns(bar)
	for _, label := range bar.Labels {
		if textui.Width(label)+4 <= to-from {
			return " " + label + " "
		}
	}
	if n := len(bar.Labels); n > 0 && textui.Width(bar.Labels[n-1])+2 <= to-from {
		return bar.Labels[n-1]
	}
	return ""
}

// beside names a bar that is too short for its label, where there is room.
func (d *drawing) beside(line *canvas, bar chart.Bar) {
	if len(bar.Beside) == 0 || d.insideLabel(bar) != "" {
		return
	}
	_, at := d.columns(bar)
	if d.chart.DeadlineShown() && at == d.scale.Column(d.chart.DeadlineMs) {
		at++
	}
	for _, label := range bar.Beside {
		if n := textui.Width(label); at+n < len(line.runes) && line.free(at, min(at+n+2, len(line.runes))) {
			line.write(at+1, label, "")
			return
		}
	}
}

func (d *drawing) markGlyph(m chart.Mark) rune {
	if m.Kind == chart.GaveUp {
		return d.glyphs.gaveUp
	}
	return d.glyphs.returned
}
