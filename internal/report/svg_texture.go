package report

import (
	"fmt"
	"math"
	"strings"

	"github.com/deadlinelab/deadlinelab/internal/svg"
)

// leastTextured is the width from which dots and stripes can be told apart.
const leastTextured = 12

// texture draws the texture of a bar as lines of its own: patterns make a
// printed page fifty times as large, and slide programs do not show them.
func texture(kind BarKind, x, y, width, height float64) *svg.Element {
	middle := y + height/2
	switch {
	case kind == ForNobody:
		return svg.New("path", "class", "texture hatch", "d", hatch(x, y, width, height))
	case width < leastTextured:
	case kind == Held:
		return svg.New("path", "class", "texture stripes", "d", "M"+point(x+3, middle)+"h"+svg.Number(max(0, width-4)))
	case kind == Queued, kind == Connecting:
		return svg.New("path", "class", "texture dotted", "d", "M"+point(x+4, middle-4)+"h"+svg.Number(max(0, width-6))+"M"+point(x+8, middle+4)+"h"+svg.Number(max(0, width-10)))
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
			fmt.Fprintf(&d, "M%sl%s -%s", point(tenths(k+from), tenths(y+height-from)), svg.Number(tenths(to-from)), svg.Number(tenths(to-from)))
		}
	}
	return d.String()
}

// legend explains the kinds of bars that occur; it returns its height.
func (p *timelinePlot) legend() float64 {
	used := p.chart.kinds()
	x, y := plotLeft*1.0, p.y+8
	for _, entry := range svgLegend {
		if !used[entry.kind] && !used[entry.or] {
			continue
		}
		if wide := 30 + textWidth(entry.text); x+wide > p.options.width() {
			x, y = plotLeft, y+24
		}
		p.add(swatch(entry.kind, x, y), textAt(x+30, y+11, "quiet", entry.text))
		x += 54 + textWidth(entry.text)
	}
	return y + 30 - p.y
}

// kinds are the kinds of bars that occur.
func (c Chart) kinds() map[BarKind]bool {
	used := map[BarKind]bool{}
	for _, b := range c.Blocks {
		for _, lane := range b.Lanes {
			for _, bar := range lane.Bars {
				used[bar.Kind] = true
			}
		}
	}
	return used
}

// swatch is a small bar for a legend.
func swatch(kind BarKind, x, y float64) *svg.Element {
	return svg.New("g", "class", "bar "+kind.String()).Add(rectAt(x, y, 24, 14).Set("class", "fill"), texture(kind, x, y, 24, 14))
}

// svgLegend explains the fills; two kinds may look alike.
var svgLegend = []struct {
	kind, or BarKind
	text     string
}{
	{Waiting, Waiting, "the caller waits"}, {Overdue, Overdue, "past its deadline"}, {Held, Held, "held by another call"},
	{Queued, Connecting, "in a queue, for a slot or a connection"}, {Requesting, Serving, "request, until its headers"},
	{Reading, Sending, "body"}, {Pausing, Pausing, "pause"}, {ForNobody, ForNobody, "the server works on for nobody"},
	{Unseen, Unseen, "not reported by the client"},
}
