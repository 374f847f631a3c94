package svg

import (
	"fmt"
	"strings"

	"github.com/deadlinelab/deadlinelab/internal/chart"
	"github.com/deadlinelab/deadlinelab/internal/timeline"
	"github.com/deadlinelab/deadlinelab/internal/verdict"
	"github.com/deadlinelab/deadlinelab/internal/view"
	"github.com/deadlinelab/deadlinelab/internal/wording"
)

// lens is the neighbourhood of the deadline, with the noise floor of the run.
type lens struct {
	to    float64 // ms after the deadline; as much as a quarter before it
	floor *timeline.Quantiles
}

// widestLens is how far from the deadline an operation may end to be seen.
const widestLens = 50

func newLens(g verdict.Group, a view.Archive) lens {
	l := lens{to: 5}
	for _, one := range g.Series {
		if one.NoiseFloorMs != nil {
			l.floor = one.NoiseFloorMs
			l.to = max(l.to, min(wording.FloorP95(l.floor)*2, widestLens))
		}
		for _, o := range a.Of(one.Series) {
			if verdict.Counted(o) && o.Overshoot <= widestLens {
				l.to = max(l.to, o.Overshoot*1.05)
			}
		}
	}
	return l
}

func (l lens) from() float64 { return -l.to / 4 }

func (l lens) x(ms float64) float64 {
	return zoomLeft + (ms-l.from())/(l.to-l.from())*(zoomRight-zoomLeft)
}

// frame draws the noise floor as a band up to its p95, darker up to its median.
func (l lens) frame(bottom float64) []*Element {
	back := []*Element{textAt(zoomLeft, 14, "strong", "overshoot, ms"), lineAt("rule", zoomLeft, stripTop, zoomRight, stripTop)}
	if l.floor != nil {
		width := l.x(wording.FloorP95(l.floor)) - l.x(0)
		back = append(back, rectAt(l.x(0), stripTop, width, bottom-stripTop).Set("class", "noise").Titled(fmt.Sprintf("noise floor: deadlines on this machine fired %.1f ms late (median), %.1f ms (p95)", l.floor.Median, wording.FloorP95(l.floor))),
			textAt(zoomRight, 14, "quiet end", "grey: noise floor"))
	}
	for _, t := range chart.Ticks(2 * l.to) { // half as many as on a wide axis
		if t > l.to {
			break
		}
		back = append(back, lineAt("grid", l.x(t), stripTop, l.x(t), bottom), textAt(l.x(t), stripTop-8, "quiet middle", Number(t)))
	}
	return append(back, lineAt("deadline", l.x(0), stripTop, l.x(0), bottom))
}

// dots draws what ended near the deadline, and says how far the others are.
func (l lens) dots(s *strip, list []*timeline.Operation) {
	var d strings.Builder
	var early, late []float64
	for n, o := range list {
		switch {
		case o.Overshoot < l.from():
			early = append(early, o.Overshoot)
		case o.Overshoot > l.to:
			late = append(late, o.Overshoot)
		default:
			d.WriteString(dot(o, l.x(o.Overshoot), s.y+stripHeight/2+jitter(n)))
		}
	}
	if d.Len() > 0 {
		s.content = append(s.content, New("path", "class", dotClass(list[0]), "d", d.String()))
	}
	if !verdict.Counted(list[0]) {
		return
	}
	if m, ok := timeline.Median(early); ok {
		s.content = append(s.content, textAt(zoomLeft+6, s.y+26, "quiet halo", fmt.Sprintf("← %d ended %.0f ms before", len(early), -m)))
	}
	if m, ok := timeline.Median(late); ok {
		s.content = append(s.content, textAt(zoomRight-6, s.y+26, "strong end halo", fmt.Sprintf("%d ended %.0f ms after →", len(late), m)))
	}
}
