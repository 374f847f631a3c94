package report

import "github.com/deadlinelab/deadlinelab/internal/svg"

// patterns are the textures, under ids of this drawing's own.
func (p *timelinePlot) patterns() *svg.Element {
	return svg.New("defs").Add(
		p.pattern("hatch", svg.New("path", "class", "texture-strong", "d", "M-2 2L2 -2M0 8L8 0M6 10L10 6")),
		p.pattern("cross", svg.New("path", "class", "texture-line", "d", "M0 8L8 0M0 0L8 8")),
		p.pattern("dots", svg.New("circle", "class", "texture-dot", "cx", 2, "cy", 2, "r", 1), svg.New("circle", "class", "texture-dot", "cx", 6, "cy", 6, "r", 1)),
	)
}

func (p *timelinePlot) pattern(name string, content ...*svg.Element) *svg.Element {
	return svg.New("pattern", "id", p.options.ID+name, "width", 8, "height", 8, "patternUnits", "userSpaceOnUse").Add(content...)
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
		p.add(p.swatch(entry.kind, x, y), textAt(x+30, y+11, "quiet", entry.text))
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

func (p *timelinePlot) swatch(kind BarKind, x, y float64) *svg.Element {
	group := svg.New("g", "class", "bar "+kind.String()).Add(rectAt(x, y, 24, 14).Set("class", "fill"))
	if texture := textures[kind]; texture != "" {
		group.Add(rectAt(x, y, 24, 14).Set("class", "texture", "fill", "url(#"+p.options.ID+texture+")"))
	}
	return group
}

// svgLegend explains the fills; two kinds may look alike.
var svgLegend = []struct {
	kind, or BarKind
	text     string
}{
	{Waiting, Waiting, "the caller waits"}, {Overdue, Overdue, "past its deadline"}, {Held, Held, "held by another call"},
	{Queued, Connecting, "in a queue, for a slot or a connection"}, {Requesting, Serving, "request, until its headers"},
	{Reading, Sending, "body"}, {Pausing, Pausing, "pause"}, {ForNobody, ForNobody, "the server works on for nobody"},
}
