package svg

import (
	"fmt"
	"math"
	"strings"

	"github.com/deadlinelab/deadlinelab/internal/chart"
	"github.com/deadlinelab/deadlinelab/internal/wording"
)

// leastTextured is the width from which dots and stripes can be told apart.
const leastTextured = 12

// texture draws the texture of a bar as lines of its own: patterns make a
// printed page fifty times as large, and slide programs do not show them.
func texture(kind chart.BarKind, x, y, width, height float64) *Element {
	middle := y + height/2
	switch {
	case kind == chart.ForNobody:
		return New("path", "class", "texture hatch", "d", hatch(x, y, width, height))
	case width < leastTextured:
	case kind == chart.Held:
		return New("path", "class", "texture stripes", "d", "M"+point(x+3, middle)+"h"+Number(max(0, width-4)))
	case kind == chart.Queued, kind == chart.Connecting:
		return New("path", "class", "texture dotted", "d", "M"+point(x+4, middle-4)+"h"+Number(max(0, width-6))+"M"+point(x+8, middle+4)+"h"+Number(max(0, width-10)))
	}
	return nil
}

// hatchGap is the distance between two lines of a hatching.
const hatchGap = 8

// hatch is slanted lines, cut off at the edges of the bar.
func hatch(x, y, width, height float64) string {
	var d strings.Builder
	for k := math.Ceil((x-height)/hatchGap) * hatchGap; k < x+width; k += hatchGap {
		from, to := max(0, x-k), min(height, x+width-k)
		if to > from {
			fmt.Fprintf(&d, "M%sl%s -%s", point(wording.Tenths(k+from), wording.Tenths(y+height-from)), Number(wording.Tenths(to-from)), Number(wording.Tenths(to-from)))
		}
	}
	return d.String()
}

// legend explains the kinds of bars that occur; it returns its height.
func (p *timelinePlot) legend() float64 {
	used := p.chart.Kinds()
	x, y := plotLeft*1.0, p.y+8
	for _, entry := range SvgLegend {
		if !used[entry.Kind] && !used[entry.Or] {
			continue
		}
		if wide := 30 + textWidth(entry.Text); x+wide > p.options.width() {
			x, y = plotLeft, y+24
		}
		p.add(Swatch(entry.Kind, x, y), textAt(x+30, y+11, "quiet", entry.Text))
		x += 54 + textWidth(entry.Text)
	}
	return y + 30 - p.y
}

// Swatch is a small bar for a legend.
func Swatch(kind chart.BarKind, x, y float64) *Element {
	return New("g", "class", "bar "+kind.String()).Add(rectAt(x, y, 24, 14).Set("class", "fill"), texture(kind, x, y, 24, 14))
}

// SvgLegend explains the fills; two kinds may look alike.
var SvgLegend = []struct {
	Kind, Or chart.BarKind
	Text     string
}{
	{chart.Waiting, chart.Waiting, "the caller waits"}, {chart.Overdue, chart.Overdue, "past its deadline"}, {chart.Held, chart.Held, "held by another call"},
	{chart.Queued, chart.Connecting, "in a queue, for a slot or a connection"}, {chart.Requesting, chart.Serving, "request, until its headers"},
	{chart.Reading, chart.Sending, "body"}, {chart.Pausing, chart.Pausing, "pause"}, {chart.ForNobody, chart.ForNobody, "the server works on for nobody"},
	{chart.Unseen, chart.Unseen, "not reported by the client"},
}
