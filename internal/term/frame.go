package term

import (
	"fmt"
	"strings"

	"github.com/deadlinelab/deadlinelab/internal/chart"
	"github.com/deadlinelab/deadlinelab/internal/textui"
)

func (d *drawing) axis() {
	d.deadlineName()
	numbers, rule := d.canvas(), d.canvas()
	rule.fill(0, d.scale.Columns, d.glyphs.axis, "")
	for _, t := range d.chart.Ticks {
		at := d.scale.Column(t)
		rule.fill(at, at+1, d.glyphs.tick, "")
		text := fmt.Sprintf("%g", t)
		numbers.write(at, text, "")
	}
	rule.fill(0, 1, d.glyphs.start, "")
	d.add("ms from t0", numbers)
	d.deadline(rule)
	d.add("", rule)
}

// deadlineName points at the deadline, or says that it lies beyond the axis.
func (d *drawing) deadlineName() {
	line, text := d.canvas(), fmt.Sprintf("deadline %g ms", d.chart.DeadlineMs)
	if !d.chart.DeadlineShown() {
		text += " " + string(d.glyphs.onward)
		line.write(d.scale.Columns-textui.Width(text), text, "")
		d.add("", line)
		return
	}
	at := d.scale.Column(d.chart.DeadlineMs)
	if left := at - textui.Width(text) - 1; left >= 0 {
		line.write(left, text, "")
	} else {
		line.write(at+2, text, "")
	}
	d.deadline(line)
	d.add("", line)
}

func (d *drawing) deadline(c *canvas) {
	if d.chart.DeadlineShown() {
		c.cross(d.scale.Column(d.chart.DeadlineMs), d.glyphs.deadline)
	}
}

// legend explains the fills that occur.
func (d *drawing) legend() {
	d.used[chart.Queued] = d.used[chart.Queued] || d.used[chart.Connecting]
	d.used[chart.Requesting] = d.used[chart.Requesting] || d.used[chart.Writing] || d.used[chart.Serving]
	d.used[chart.Reading] = d.used[chart.Reading] || d.used[chart.Sending]
	var parts []string
	for _, m := range meanings {
		if d.used[m.kind] {
			parts = append(parts, strings.Repeat(string(d.glyphs.bars[m.kind]), 2)+" "+m.text)
		}
	}
	parts = append(parts, string(d.glyphs.returned)+" control is back")
	d.lines = append(d.lines, "")
	d.lines = append(d.lines, textui.Flowed(parts, "   ", d.options.width(), "  ")...)
}
