package report

import (
	"encoding/json"
	"math"
	"slices"
	"strings"

	"github.com/deadlinelab/deadlinelab/internal/chart"
	"github.com/deadlinelab/deadlinelab/internal/textui"
	"github.com/deadlinelab/deadlinelab/internal/timeline"
	"github.com/deadlinelab/deadlinelab/internal/verdict"
	"github.com/deadlinelab/deadlinelab/internal/view"
	"github.com/deadlinelab/deadlinelab/internal/wording"
)

// packed is every operation of a run for the page to draw, in a form that is
// small because operations of one series look alike. assets/page.js unpacks
// it into the blocks of a Chart.
//
// A moment is hundredths of a millisecond; an operation's moments are sorted,
// each written as the distance to the one before, and shapes refer to them by
// place. Texts are written once; alternatives are separated by line ends.
type packed struct {
	Texts  []string       `json:"texts"`
	Kinds  []string       `json:"kinds"`
	Marks  []string       `json:"marks"`
	Shapes [][]any        `json:"shapes"` // [axis end, [lane name, [bar kind, from, to, open]…, [mark kind, at]…]…]
	Sets   [][]int        `json:"sets"`   // [headline, labels and besides of each bar, label of each mark, …]
	Series []packedSeries `json:"series"`
}

type packedSeries struct {
	Scenario string  `json:"scenario"`
	Variant  string  `json:"variant"`
	Label    string  `json:"label"`
	Prefix   string  `json:"prefix"` // that all ids of the series share
	Typical  string  `json:"typical"`
	Budget   float64 `json:"budget"`
	Ops      [][]any `json:"ops"` // [rest of id, shape, set, promise, outcome, duration, reasons, moments…]
}

// packer gives equal things equal numbers.
type packer struct {
	out    packed
	texts  map[string]int
	shapes map[string]int
	sets   map[string]int
}

// pack packs all measured operations of the groups.
func pack(groups []verdict.Group, a view.Archive) packed {
	p := &packer{texts: map[string]int{}, shapes: map[string]int{}, sets: map[string]int{},
		out: packed{Texts: []string{}, Kinds: chart.BarNames[:], Marks: chart.MarkNames[:], Shapes: [][]any{}, Sets: [][]int{}, Series: []packedSeries{}}}
	for _, g := range groups {
		for _, s := range g.Series {
			p.out.Series = append(p.out.Series, p.series(s.Series, a))
		}
	}
	return p.out
}

func (p *packer) series(s timeline.Series, a view.Archive) packedSeries {
	list := a.Of(s)
	one := packedSeries{Scenario: s.Scenario, Variant: s.Variant, Label: s.Label, Prefix: sharedPrefix(list), Typical: s.Representative, Budget: s.BudgetMs, Ops: [][]any{}}
	for _, o := range list {
		one.Ops = append(one.Ops, p.operation(o, len(one.Prefix), chart.NewDetailedChart([]chart.Subject{a.Subject(o)})))
	}
	return one
}

func sharedPrefix(list []*timeline.Operation) string {
	if len(list) == 0 {
		return ""
	}
	prefix := list[0].Op
	for _, o := range list {
		for !strings.HasPrefix(o.Op, prefix) {
			prefix = prefix[:len(prefix)-1]
		}
	}
	return prefix
}

func (p *packer) operation(o *timeline.Operation, prefix int, c chart.Chart) []any {
	at, gaps := momentsOf(c)
	shape, set := []any{at[unit(c.EndMs)]}, []int{p.text(c.Blocks[0].Headline)}
	for _, lane := range c.Blocks[0].Lanes {
		shape = append(shape, p.lane(lane, at))
		set = p.laneTexts(set, lane)
	}
	packedOp := []any{o.Op[prefix:], placeIn(p.shapes, &p.out.Shapes, shape), placeIn(p.sets, &p.out.Sets, set),
		p.text(string(wording.PromiseOf(o))), p.text(string(o.Outcome)), unit(o.DurationMs), p.text(reasons(o))}
	for _, gap := range gaps {
		packedOp = append(packedOp, gap)
	}
	return packedOp
}

// reasons say why an operation is not counted; empty if it is.
func reasons(o *timeline.Operation) string {
	switch {
	case verdict.Counted(o):
		return ""
	case len(o.Reasons) == 0:
		return "it never came to an end in the log"
	}
	return strings.Join(o.Reasons, "; ")
}

// unit is a moment in hundredths of a millisecond.
func unit(ms float64) int { return int(math.Round(ms * 100)) }

// momentsOf collects the moments of a chart: the place of each, and the
// distances between them in order.
func momentsOf(c chart.Chart) (places map[int]int, gaps []int) {
	all := []int{unit(c.EndMs)}
	for _, lane := range c.Blocks[0].Lanes {
		for _, b := range lane.Bars {
			all = append(all, unit(b.FromMs), unit(b.ToMs))
		}
		for _, m := range lane.Marks {
			all = append(all, unit(m.AtMs))
		}
	}
	slices.Sort(all)
	places, last := map[int]int{}, 0
	for i, v := range slices.Compact(all) {
		places[v] = i
		gaps = append(gaps, v-last)
		last = v
	}
	return places, gaps
}

func (p *packer) lane(lane chart.Lane, at map[int]int) []any {
	bars, marks := []any{}, []any{}
	for _, b := range lane.Bars {
		open := 0
		if b.Open {
			open = 1
		}
		bars = append(bars, []int{int(b.Kind), at[unit(b.FromMs)], at[unit(b.ToMs)], open})
	}
	for _, m := range lane.Marks {
		marks = append(marks, []int{int(m.Kind), at[unit(m.AtMs)]})
	}
	return []any{p.text(lane.Name), bars, marks}
}

func (p *packer) laneTexts(set []int, lane chart.Lane) []int {
	for _, b := range lane.Bars {
		set = append(set, p.text(b.Labels...), p.text(b.Beside...))
	}
	for _, m := range lane.Marks {
		set = append(set, p.text(m.Label))
	}
	return set
}

func (p *packer) text(alternatives ...string) int {
	var clean []string
	for _, one := range alternatives {
		clean = append(clean, textui.Plain(one))
	}
	text := strings.Join(clean, "\n")
	place, known := p.texts[text]
	if !known {
		place = len(p.out.Texts)
		p.texts[text] = place
		p.out.Texts = append(p.out.Texts, text)
	}
	return place
}

// placeIn is the place of a value in its list, appended if it is new. What is
// packed are numbers and lists of them: they always marshal.
func placeIn[T any](known map[string]int, list *[]T, value T) int {
	key, _ := json.Marshal(value)
	place, ok := known[string(key)]
	if !ok {
		place = len(*list)
		known[string(key)] = place
		*list = append(*list, value)
	}
	return place
}
