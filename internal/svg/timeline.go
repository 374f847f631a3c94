package svg

import (
	"fmt"
	"html/template"

	"github.com/deadlinelab/deadlinelab/internal/chart"
	"github.com/deadlinelab/deadlinelab/internal/textui"
	"github.com/deadlinelab/deadlinelab/internal/view"
	"github.com/deadlinelab/deadlinelab/internal/wording"
)

// The measures of a timeline in pixels. The page's own renderer
// (assets/timeline.js) has the same.
const (
	plotLeft    = 104 // lane names
	plotRight   = 112 // labels of what ends late
	axisTop     = 40  // deadline's name, then the numbers
	titleHeight = 34
	laneHeight  = 25.0
	barHeight   = 18
	blockGap    = 12
	leastBar    = 1.5 // whatever happened can be seen
)

// TimelineSVG draws a chart as a piece of a page, which has DrawingStyle.
func TimelineSVG(c chart.Chart, o SVGOptions) template.HTML { return InPage(TimelineDrawing(c, o)) }

// timeline places a chart. y is where the next piece goes.
type timelinePlot struct {
	chart   chart.Chart
	options SVGOptions
	y       float64
	content []*Element
}

// TimelineDrawing draws a chart.
func TimelineDrawing(c chart.Chart, o SVGOptions) *Element {
	p := &timelinePlot{chart: c, options: o, y: axisTop}
	for _, b := range c.Blocks {
		p.block(b)
	}
	frame := p.frame()
	height := p.y + 6
	if o.Standalone {
		height += p.legend()
	}
	return o.sheet(height, append(frame, p.content...)...)
}

// x is the place of a moment on the axis.
func (p *timelinePlot) x(ms float64) float64 {
	return plotLeft + ms/p.chart.EndMs*(p.right()-plotLeft)
}

func (p *timelinePlot) right() float64 { return p.options.width() - plotRight }

func (p *timelinePlot) add(e ...*Element) { p.content = append(p.content, e...) }

// frame is what lies behind everything: the grid with its numbers, t0.
func (p *timelinePlot) frame() []*Element {
	var back []*Element
	for _, t := range p.chart.Ticks {
		back = append(back, lineAt("grid", p.x(t), axisTop, p.x(t), p.y), textAt(p.x(t), axisTop-6, "quiet middle", Number(t)).Set("data-tick", t))
	}
	return append(back, lineAt("rule", plotLeft, axisTop, plotLeft, p.y), lineAt("rule", plotLeft, axisTop, p.right(), axisTop),
		textAt(plotLeft-16, axisTop-6, "quiet end", "ms from t0"), p.deadlineName())
}

func (p *timelinePlot) deadlineName() *Element {
	text := fmt.Sprintf("deadline %g ms", p.chart.DeadlineMs)
	if !p.chart.DeadlineShown() {
		return textAt(p.right(), 14, "deadline-name end", text+" →")
	}
	return textAt(p.x(p.chart.DeadlineMs), 14, "deadline-name middle", text)
}

func (p *timelinePlot) block(b chart.Block) {
	group := New("g", "class", "block", "data-op", textui.Plain(b.Op))
	if p.options.Standalone {
		group.Set("id", view.Slug(b.Label)) // so that an address can name one of them
	}
	p.title(group, b)
	top, lanes := p.y, New("g")
	for _, lane := range b.Lanes {
		p.lane(lanes, lane)
	}
	p.past(group, top)
	group.Add(lanes)
	p.lines(group, b, top)
	p.add(group)
	p.y += blockGap
}

// title is the promise as a coloured word, the client, and what happened.
func (p *timelinePlot) title(group *Element, b chart.Block) {
	d := wording.DressOf(string(b.Promise))
	word := d.Glyph + " " + d.Word
	width := textWidth(word) + 14
	base := p.y + 23
	group.Add(rectAt(0, p.y+2, p.options.width(), titleHeight-4).Set("rx", 5, "class", "band"), rectAt(4, base-15, width, 21).Set("rx", 4, "class", "promise-"+d.Class), textAt(4+width/2, base, "middle strong on-"+d.Class, word))
	name := textui.FullName(b.Label, b.Variant)
	group.Add(New("text", "x", width+14, "y", base, "class", "title").Add(
		New("tspan", "class", "strong").Say(name), New("tspan").Say("   "+textui.Plain(b.Headline))))
	p.y += titleHeight
}

// past tints the time past the deadline.
func (p *timelinePlot) past(group *Element, top float64) {
	if p.chart.DeadlineShown() {
		from := p.x(p.chart.DeadlineMs)
		group.Add(rectAt(from, top, p.right()-from, p.y-top).Set("class", "past"))
	}
}

// lines are the deadline and the moments at which somebody gave up, and the caller's return,
// across the lanes of one operation.
func (p *timelinePlot) lines(group *Element, b chart.Block, top float64) {
	for _, lane := range b.Lanes {
		for _, m := range lane.Marks {
			if m.Kind == chart.Noted || m.AtMs > p.chart.EndMs {
				continue
			}
			class := "stop"
			if m.Kind == chart.Returned {
				class = "back"
			}
			group.Add(lineAt(class, p.x(m.AtMs), top+2, p.x(m.AtMs), p.y-2))
		}
	}
	if p.chart.DeadlineShown() {
		x := p.x(p.chart.DeadlineMs)
		group.Add(New("g", "class", "mark limit", "data-ms", p.chart.DeadlineMs).Titled(fmt.Sprintf("the caller's deadline: %g ms", p.chart.DeadlineMs)).
			Add(lineAt("deadline", x, top, x, p.y)))
	}
}

func (p *timelinePlot) lane(group *Element, lane chart.Lane) {
	group.Add(textAt(plotLeft-16, p.y+17, "quiet end", lane.Name))
	if len(lane.Bars) == 0 && hasStop(lane) {
		p.stops(group, lane)
		return
	}
	for i, bar := range lane.Bars {
		group.Add(p.bar(bar, p.freeUntil(lane, i)))
	}
	for _, m := range lane.Marks {
		if m.AtMs <= p.chart.EndMs {
			group.Add(p.mark(m, p.y))
		}
	}
	p.y += laneHeight
}

func hasStop(lane chart.Lane) bool { return len(lane.Marks) > 0 && lane.Marks[0].Kind == chart.GaveUp }

// freeUntil is where the next thing in the lane begins.
func (p *timelinePlot) freeUntil(lane chart.Lane, i int) float64 {
	until := p.options.width()
	for _, other := range lane.Bars {
		if other.FromMs > lane.Bars[i].FromMs {
			until = min(until, p.x(other.FromMs))
		}
	}
	return until
}

// stops puts marks whose labels would touch on lines of their own.
func (p *timelinePlot) stops(group *Element, lane chart.Lane) {
	var ends []float64 // of each line's last label
	for _, m := range lane.Marks {
		row, from, to := 0, p.x(m.AtMs)-8, p.x(m.AtMs)+14+textWidth(m.Label)
		for row < len(ends) && ends[row] > from {
			row++
		}
		if row == len(ends) {
			ends = append(ends, 0)
		}
		ends[row] = to
		group.Add(p.mark(m, p.y+float64(row)*laneHeight))
	}
	p.y += float64(len(ends)) * laneHeight
}
