package report

import (
	"fmt"

	"github.com/deadlinelab/deadlinelab/internal/svg"
)

// thin bars are those in which the caller does nothing but wait.
var thin = map[BarKind]float64{Waiting: 6, Overdue: 10}

// bar draws one bar with its label: inside if it fits, else beside it if
// nothing stands there.
func (p *timelinePlot) bar(bar Bar, free float64) *svg.Element {
	from, to := p.x(bar.FromMs), p.x(bar.ToMs)
	width, height := max(to-from, leastBar), barHeight*1.0
	if h, ok := thin[bar.Kind]; ok {
		height = h
	}
	top := p.y + (laneHeight-height)/2
	group := svg.New("g", "class", "bar "+bar.Kind.String(), "data-ms-from", bar.FromMs, "data-ms-to", bar.ToMs).Titled(barTitle(bar))
	group.Add(rectAt(from, top, width, height).Set("class", "fill"), texture(bar.Kind, from, top, width, height))
	if bar.Open && bar.Kind != Pausing { // an open pause was cut short: its end is known
		group.Add(svg.New("path", "class", "onward", "d", fmt.Sprintf("M%sl6 5l-6 5", point(from+width+2, p.y+laneHeight/2-5))))
	}
	return group.Add(p.label(bar, from, width, free))
}

// label is the first that fits.
func (p *timelinePlot) label(bar Bar, from, width, free float64) *svg.Element {
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

// barWords say what a bar without labels of its own is.
var barWords = map[BarKind]string{Waiting: "the caller waits", Overdue: "the caller waits, past its deadline", Connecting: "waits for a connection",
	Writing: "writes the request", Requesting: "waits for headers", Reading: "reads the body", Serving: "works on the request", Sending: "sends the body", Unseen: "not reported"}

// barTitle is what a pointer shows.
func barTitle(bar Bar) string {
	name := barWords[bar.Kind]
	if len(bar.Labels) > 0 && bar.Kind != Waiting {
		name = bar.Labels[0]
	}
	return plain(fmt.Sprintf("%s: %s to %s ms (%s ms)", name, svg.Number(bar.FromMs), svg.Number(bar.ToMs), svg.Number(hundredths(bar.ToMs-bar.FromMs))))
}

// mark draws a moment: a step as a tick, giving up and the return with a label.
func (p *timelinePlot) mark(m Mark, top float64) *svg.Element {
	x := p.x(m.AtMs)
	group := svg.New("g", "class", "mark "+m.Kind.String(), "data-ms", m.AtMs).Titled(plain(fmt.Sprintf("%s: %s ms", markText(m), svg.Number(m.AtMs))))
	switch m.Kind {
	case Noted:
		d := fmt.Sprintf("M%sv%g", point(x, top+2), laneHeight-4.0)
		return group.Add(svg.New("path", "class", "reach", "d", d), svg.New("path", "d", d))
	case GaveUp:
		return group.Add(svg.New("path", "d", fmt.Sprintf("M%sl6 11h-12z", point(x, top+6))), textAt(x+10, top+17, "", m.Label))
	}
	return group.Add(svg.New("circle", "cx", x, "cy", top+laneHeight/2, "r", 5.5), textAt(x+10, top+17, "", m.Label))
}

// markText names a moment in full.
func markText(m Mark) string {
	switch m.Kind {
	case GaveUp:
		return "gives up: " + m.Label
	case Returned:
		return "control is back with the caller: " + m.Label
	}
	return m.Label
}
