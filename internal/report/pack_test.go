package report

import (
	"encoding/json"
	"math"
	"strings"
	"testing"

	"github.com/deadlinelab/deadlinelab/internal/chart"
	"github.com/deadlinelab/deadlinelab/internal/fixture"
	"github.com/deadlinelab/deadlinelab/internal/timeline"
	"github.com/deadlinelab/deadlinelab/internal/view"
	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
)

// What the page unpacks is the very chart that Go draws.
func TestPackedOperationsAreTheCharts(t *testing.T) {
	for _, d := range fixture.Demos {
		in := measured(d.Name, d.Subjects...)
		a := view.NewArchive(in.Operations)
		data, err := json.Marshal(pack(in.Summary.Groups(), a))
		if err != nil {
			t.Fatal(err)
		}
		var p packed
		if err := json.Unmarshal(data, &p); err != nil {
			t.Fatal(err)
		}
		for _, one := range p.Series {
			o := a.ByID[one.Typical]
			want := chart.NewDetailedChart([]chart.Subject{a.Subject(o)})
			got := unpack(t, p, one, one.Ops[0])
			want.Ticks, got.Ticks = nil, nil
			if diff := cmp.Diff(want, got, cmpopts.EquateEmpty()); diff != "" {
				t.Errorf("%s %s (-drawn +unpacked):\n%s", d.Name, one.Label, diff)
			}
		}
	}
}

// unpack does what assets/page.js does.
func unpack(t *testing.T, p packed, s packedSeries, op []any) chart.Chart {
	t.Helper()
	number := func(v any) int { return int(math.Round(v.(float64))) }
	var moments []float64
	sum := 0
	for _, gap := range op[7:] {
		sum += number(gap)
		moments = append(moments, float64(sum)/100)
	}
	shape, set, next := p.Shapes[number(op[1])], p.Sets[number(op[2])], 0
	word := func() string { next++; return p.Texts[set[next-1]] }
	words := func() []string {
		if text := word(); text != "" {
			return strings.Split(text, "\n")
		}
		return nil
	}
	b := chart.Block{Op: s.Prefix + op[0].(string), Label: s.Label, Variant: s.Variant, Headline: word()}
	b.Promise = timeline.Promise(p.Texts[number(op[3])])
	for _, l := range shape[1:] {
		parts := l.([]any)
		lane := chart.Lane{Name: p.Texts[number(parts[0])]}
		for _, one := range parts[1].([]any) {
			v := one.([]any)
			lane.Bars = append(lane.Bars, chart.Bar{Kind: chart.BarKind(number(v[0])), FromMs: moments[number(v[1])], ToMs: moments[number(v[2])], Open: number(v[3]) == 1, Labels: words(), Beside: words()})
		}
		for _, one := range parts[2].([]any) {
			v := one.([]any)
			lane.Marks = append(lane.Marks, chart.Mark{Kind: chart.MarkKind(number(v[0])), AtMs: moments[number(v[1])], Label: word()})
		}
		b.Lanes = append(b.Lanes, lane)
	}
	return chart.Chart{EndMs: moments[number(shape[0])], DeadlineMs: s.Budget, Blocks: []chart.Block{b}}
}
