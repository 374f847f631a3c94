package serve

import (
	"fmt"
	"slices"
	"time"

	"github.com/deadlinelab/deadlinelab/internal/chart"
	"github.com/deadlinelab/deadlinelab/internal/eventlog"
	"github.com/deadlinelab/deadlinelab/internal/scenario"
	"github.com/deadlinelab/deadlinelab/internal/svg"
	"github.com/deadlinelab/deadlinelab/internal/timeline"
	"github.com/deadlinelab/deadlinelab/internal/variants"
)

// pairRun is one operation of each contrast variant.
type pairRun struct {
	scenario *scenario.Scenario
	known    map[string]prediction
	endMs    float64
}

func newPairRun(s *scenario.Scenario, known map[string]prediction, endMs float64) *pairRun {
	return &pairRun{scenario: s, known: known, endMs: endMs}
}

func (*pairRun) operations() int      { return 1 }
func (*pairRun) every() time.Duration { return frame }

// frame is what is known at an instant. The axis grows only when something
// takes longer than the arithmetic said.
func (d *pairRun) frame(w *watch, now int64) (string, any, error) {
	run := w.merge(now)
	chart := chart.NewDetailedChart(d.soFar(run, now))
	for i := range chart.Blocks {
		underWay(&chart.Blocks[i], run, now)
	}
	chart.SetEnd(max(d.endMs, chart.EndMs))
	return "picture", string(svg.TimelineSVG(chart, svg.SVGOptions{Title: "What is known so far of one operation of each client", ID: "live-"})), nil
}

// soFar has a subject for every variant, also before its operation began.
func (d *pairRun) soFar(run *timeline.Run, now int64) []chart.Subject {
	subjects := chart.Subjects(run, d.scenario.Contrast)
	for i, s := range subjects {
		subjects[i].Operation = until(s.Operation, now)
		for j, h := range s.Helpers {
			subjects[i].Helpers[j] = until(h, now)
		}
	}
	for at, name := range d.scenario.Contrast {
		if at >= len(subjects) || subjects[at].Operation.Variant != name {
			subjects = slices.Insert(subjects, at, chart.Subject{Operation: d.placeholder(name)})
		}
	}
	return subjects
}

func (d *pairRun) placeholder(name string) *timeline.Operation {
	v, _ := variants.Find(name)
	return &timeline.Operation{Scenario: d.scenario.Name, Variant: name, Label: v.Label, Phase: eventlog.Measured, BudgetMs: d.scenario.Operation.BudgetMs}
}

// until is an operation as it stands: an unfinished one has lasted until now,
// and so has a request whose handler has not ended.
func until(o *timeline.Operation, now int64) *timeline.Operation {
	known := *o
	ms := float64(now-o.T0Ns) / 1e6
	if !o.Finished {
		known.DurationMs, known.Overshoot = ms, ms-o.BudgetMs
		known.Late = ms > o.BudgetMs
	}
	known.Attempts = slices.Clone(o.Attempts)
	for i, a := range known.Attempts {
		known.Attempts[i].Exchanges = served(a.Exchanges, ms)
	}
	return &known
}

func served(exchanges []timeline.Exchange, ms float64) []timeline.Exchange {
	list := slices.Clone(exchanges)
	for i := range list {
		if list[i].HandlerEndMs == nil {
			list[i].HandlerEndMs = &ms
		}
	}
	return list
}

// underWay says of a block that its operation has no end yet. What lies in the
// future, such as a fault that is armed, is not shown, nor an end that is only
// the present; bars end now, for whether they go on is not known yet.
func underWay(b *chart.Block, run *timeline.Run, now int64) {
	o := run.Operation(b.Op)
	if o == nil || !o.Finished {
		b.Promise, b.Headline = chart.UnderWay, ""
	}
	ms := 0.0
	if o != nil {
		ms = float64((now-o.T0Ns)/1e4) / 100 // a chart is in hundredths: one that was rounded down is the present, too
	}
	for i := range b.Lanes {
		lane := &b.Lanes[i]
		lane.Bars = slices.DeleteFunc(lane.Bars, func(bar chart.Bar) bool { return bar.ToMs <= bar.FromMs })
		for j := range lane.Bars {
			lane.Bars[j].Open = false
		}
		lane.Marks = slices.DeleteFunc(lane.Marks, func(m chart.Mark) bool { return m.AtMs >= ms })
	}
}

// finished is the reveal.
func (d *pairRun) finished(m *Measured) (string, any, error) {
	subjects := chart.Subjects(m.Run, d.scenario.Contrast)
	if len(subjects) < len(d.scenario.Contrast) {
		return "", nil, fmt.Errorf("%d of %d operations were measured", len(subjects), len(d.scenario.Contrast))
	}
	text, err := d.reveal(subjects)
	return "reveal", text, err
}
