package svg

import (
	"fmt"
	"strings"

	"github.com/deadlinelab/deadlinelab/internal/chart"
	"github.com/deadlinelab/deadlinelab/internal/textui"
	"github.com/deadlinelab/deadlinelab/internal/timeline"
	"github.com/deadlinelab/deadlinelab/internal/verdict"
	"github.com/deadlinelab/deadlinelab/internal/view"
	"github.com/deadlinelab/deadlinelab/internal/wording"
)

// The measures of a dot strip in pixels.
const (
	stripLeft   = 236 // names
	stripRight  = 770 // end of the durations
	zoomLeft    = 842
	zoomRight   = 1110
	stripTop    = 46
	stripHeight = 44 // of one outcome
)

// strip draws every operation of a scenario as a dot: its duration, and under
// the lens how far it ended from the deadline.
type strip struct {
	archive view.Archive
	first   int // place of the group's first series in the packed list
	budget  float64
	end     float64 // of the duration axis
	lens    lens
	y       float64
	content []*Element
}

// newStrip finds the axes of a group.
func newStrip(g verdict.Group, a view.Archive, first int) *strip {
	s := &strip{archive: a, first: first, y: stripTop}
	for _, one := range g.Series {
		s.budget = max(s.budget, one.BudgetMs)
		for _, o := range a.Of(one.Series) {
			s.end = max(s.end, o.JudgedMs())
		}
	}
	s.end = max(s.end, s.budget, 1) * 1.03
	s.lens = newLens(g, a)
	return s
}

// StripDrawing draws every operation of a group as a dot over time.
func StripDrawing(g verdict.Group, a view.Archive, first int, o SVGOptions) *Element {
	s := newStrip(g, a, first)
	for i, one := range g.Series {
		s.series(i, one)
	}
	return o.sheet(s.y+8, append(s.frame(), s.content...)...)
}

func (s *strip) x(ms float64) float64 { return stripLeft + ms/s.end*(stripRight-stripLeft) }

// frame is the axis with its grid and the deadline.
func (s *strip) frame() []*Element {
	var back []*Element
	from := s.x(s.budget)
	back = append(back, rectAt(from, stripTop, stripRight-from, s.y-stripTop).Set("class", "past"))
	for _, t := range chart.Ticks(s.end) {
		back = append(back, lineAt("grid", s.x(t), stripTop, s.x(t), s.y), textAt(s.x(t), stripTop-8, "quiet middle", Number(t)))
	}
	back = append(back, lineAt("rule", stripLeft, stripTop, stripRight, stripTop), textAt(stripLeft-14, stripTop-8, "quiet end", "duration, ms"),
		lineAt("deadline", from, stripTop, from, s.y), textAt(from, 14, "deadline-name middle", fmt.Sprintf("budget %g ms", s.budget)))
	return append(back, s.lens.frame(s.y)...)
}

// series draws a row for each outcome; the first carries the name.
func (s *strip) series(i int, one verdict.Series) {
	list := s.archive.Of(one.Series)
	s.content = append(s.content, lineAt("grid", 0, s.y, zoomRight, s.y), textAt(4, s.y+20, "strong", textui.FullName(one.Label, one.Variant)))
	if len(list) == 0 {
		nothing := "no operation"
		if one.NotApplicable != "" {
			nothing = "not applicable: " + one.NotApplicable
		}
		s.content = append(s.content, textAt(stripLeft+8, s.y+26, "quiet", nothing))
		s.y += stripHeight
	}
	for from := 0; from < len(list); {
		to := from
		for to < len(list) && list[to].Outcome == list[from].Outcome {
			to++
		}
		s.outcome(i, list, from, to)
		from = to
	}
}

func (s *strip) outcome(i int, list []*timeline.Operation, from, to int) {
	name := string(list[from].Outcome)
	if name == "" {
		name = "not finished"
	}
	text := fmt.Sprintf("%s · %d", name, to-from)
	if list[from].NetMs != nil {
		text += " · net"
	}
	s.content = append(s.content, textAt(4, s.y+37, "quiet", text))
	for start := from; start < to; {
		end := start
		for end < to && dotClass(list[end]) == dotClass(list[start]) {
			end++
		}
		s.content = append(s.content, s.dots(i, list, start, end))
		s.lens.dots(s, list[start:end])
		start = end
	}
	s.median(list[from:to])
	s.y += stripHeight
}

// dotClass is round for a success and square for an error, in the colour of
// the promise; a small cross is not counted.
func dotClass(o *timeline.Operation) string {
	if !verdict.Counted(o) {
		return "dots uncounted"
	}
	class := "dots promise-" + wording.DressOf(string(wording.PromiseOf(o))).Class
	if o.Outcome != "success" {
		class += " square"
	}
	return class
}

// dots are one path: a page holds thousands. The page's script finds the
// operation of a dot by its place in the path.
func (s *strip) dots(i int, list []*timeline.Operation, from, to int) *Element {
	var d strings.Builder
	for n := from; n < to; n++ {
		d.WriteString(dot(list[n], s.x(list[n].JudgedMs()), s.y+stripHeight/2+jitter(n)))
	}
	return New("path", "class", dotClass(list[from]), "data-series", s.first+i, "data-first", from, "d", d.String())
}

func dot(o *timeline.Operation, x, y float64) string {
	if verdict.Counted(o) {
		return fmt.Sprintf("M%.1f %.1fh.01", x, y)
	}
	return fmt.Sprintf("M%.1f %.1fm-3-3l6 6m0-6l-6 6", x, y)
}

// jitter spreads dots that would cover each other; the same every time.
func jitter(n int) float64 { return float64(n*37%23) - 11 }

// median marks the middle of what was counted and says it.
func (s *strip) median(list []*timeline.Operation) {
	var durations []float64
	for _, o := range list {
		if verdict.Counted(o) {
			durations = append(durations, o.JudgedMs())
		}
	}
	m, ok := timeline.Median(durations)
	if !ok {
		return
	}
	x, text := s.x(m), fmt.Sprintf("%.1f", m)
	at, class := x-12, "strong end" // what is later than usual lies right of the median
	if x < stripLeft+80 {
		at, class = x+16, "strong"
	}
	s.content = append(s.content, lineAt("median", x, s.y+5, x, s.y+stripHeight-5), textAt(at, s.y+26, class, text))
}
