package svg

import (
	"fmt"

	"github.com/deadlinelab/deadlinelab/internal/chart"
	"github.com/deadlinelab/deadlinelab/internal/textui"
	"github.com/deadlinelab/deadlinelab/internal/wording"
)

// thin bars are those in which the caller does nothing but wait.
var thin = map[chart.BarKind]float64{chart.Waiting: 6, chart.Overdue: 10}

// bar draws one bar with its label: inside if it fits, else beside it if
// nothing stands there.
func (p *timelinePlot) bar(bar chart.Bar, free float64) *Element {
	from, to := p.x(bar.FromMs), p.x(bar.ToMs)
	width, height := max(to-from, leastBar), barHeight*1.0
	if h, ok := thin[bar.Kind]; ok {
		height = h
	}
	top := p.y + (laneHeight-height)/2
	group := New("g", "class", "bar "+bar.Kind.String(), "data-ms-from", bar.FromMs, "data-ms-to", bar.ToMs).Titled(barTitle(bar))
	group.Add(rectAt(from, top, width, height).Set("class", "fill"), texture(bar.Kind, from, top, width, height))
	if bar.Open && bar.Kind != chart.Pausing { // an open pause was cut short: its end is known
		group.Add(New("path", "class", "onward", "d", fmt.Sprintf("M%sl6 5l-6 5", point(from+width+2, p.y+laneHeight/2-5))))
	}
	return group.Add(p.label(bar, from, width, free))
}

// label is the first that fits.
func (p *timelinePlot) label(bar chart.Bar, from, width, free float64) *Element {
	middle := p.y + 17.0
	if _, low := thin[bar.Kind]; !low {
		for _, text := range bar.Labels {
			if textWidth(text)+8 <= width {
				return textAt(from+width/2, middle, "middle", text)
			}
		}
	}
	for _, text := range bar.Beside {
		if from+width+10+textWidth(text) <= free {
			return textAt(from+width+6, middle, "", text)
		}
	}
	return nil
}

// barTitle is what a pointer shows.
func barTitle(bar chart.Bar) string {
	name := chart.BarWords[bar.Kind]
	if len(bar.Labels) > 0 && bar.Kind != chart.Waiting {
		name = bar.Labels[0]
	}
	return textui.Plain(fmt.Sprintf("%s: %s to %s ms (%s ms)", name, Number(bar.FromMs), Number(bar.ToMs), Number(wording.Hundredths(bar.ToMs-bar.FromMs))))
}

// mark draws a moment: a step as a tick, giving up and the return with a label.
func (p *timelinePlot) mark(m chart.Mark, top float64) *Element {
	x := p.x(m.AtMs)
	group := New("g", "class", "mark "+m.Kind.String(), "data-ms", m.AtMs).Titled(textui.Plain(fmt.Sprintf("%s: %s ms", chart.MarkText(m), Number(m.AtMs))))
	switch m.Kind {
	case chart.Noted:
		d := fmt.Sprintf("M%sv%g", point(x, top+2), laneHeight-4.0)
		return group.Add(New("path", "class", "reach", "d", d), New("path", "d", d))
	case chart.GaveUp:
		return group.Add(New("path", "d", fmt.Sprintf("M%sl6 11h-12z", point(x, top+6))), textAt(x+10, top+17, "", m.Label))
	}
	return group.Add(New("circle", "cx", x, "cy", top+laneHeight/2, "r", 5.5), textAt(x+10, top+17, "", m.Label))
}
