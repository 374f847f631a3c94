package serve

import (
	"fmt"
	"html/template"
	"slices"
	"strings"
	"time"

	"github.com/deadlinelab/deadlinelab/internal/scenario"
	"github.com/deadlinelab/deadlinelab/internal/svg"
	"github.com/deadlinelab/deadlinelab/internal/timeline"
	"github.com/deadlinelab/deadlinelab/internal/variants"
	"github.com/deadlinelab/deadlinelab/internal/verdict"
)

// series is many operations of each contrast variant, as dots on one axis.
type series struct {
	scenario *scenario.Scenario
	endMs    float64
}

func newSeries(s *scenario.Scenario, endMs float64) *series {
	return &series{scenario: s, endMs: endMs}
}

func (*series) operations() int      { return batchSize }
func (*series) every() time.Duration { return stripFrame }

// frame is the strip of those that are over. Whether they are valid is known
// only when the server's log is whole; until then they count as they are.
func (s *series) frame(w *watch, now int64) (string, any, error) {
	var ended []*timeline.Operation
	for _, o := range w.merge(now).Operations {
		if o.Finished {
			known := *o
			known.Valid, known.Disturbed = true, false
			ended = append(ended, &known)
		}
	}
	return "picture", string(s.picture(s.empty(), ended)), nil
}

func (s *series) picture(list []verdict.Series, operations []*timeline.Operation) template.HTML {
	return svg.StripSVG(list, operations, s.endMs, svg.SVGOptions{Title: "The duration of every operation, as a dot"})
}

// empty is the series of the contrast before anything is known of them.
func (s *series) empty() []verdict.Series {
	var list []verdict.Series
	for _, name := range s.scenario.Contrast {
		v, _ := variants.Find(name)
		list = append(list, verdict.Series{Series: timeline.Series{Scenario: s.scenario.Name, Variant: name, Label: v.Label, BudgetMs: s.scenario.Operation.BudgetMs}})
	}
	return list
}

// counted is what the template batch.html shows.
type counted struct {
	Operations int
	Picture    template.HTML
	Series     []countedSeries
	Notes      []string
}

type countedSeries struct {
	Label, Variant, Median, Interval, Promise, Requests string
	N                                                   int
	Verdict                                             verdict.Verdict
}

func (s *series) finished(m *Measured) (string, any, error) {
	view := counted{Operations: batchSize}
	var list []verdict.Series
	for _, name := range s.scenario.Contrast {
		at := slices.IndexFunc(m.Summary.Series, func(one verdict.Series) bool { return one.Variant == name })
		if at < 0 {
			return "", nil, fmt.Errorf("no operation of %s was measured", name)
		}
		list = append(list, m.Summary.Series[at])
		view.Series = append(view.Series, figures(m.Summary.Series[at]))
		view.Notes = append(view.Notes, notes(m.Summary.Series[at])...)
	}
	view.Picture = s.picture(list, m.Run.Operations)
	text, err := render("batch", view)
	return "reveal", text, err
}

func figures(one verdict.Series) countedSeries {
	f := countedSeries{Label: one.Label, Variant: one.Variant, N: one.N, Verdict: one.Verdict, Median: "unknown", Interval: "too few",
		Promise: shares(one.Promise, func(p string) string { return promiseWords[timeline.Promise(p)] }), Requests: shares(one.ServerRequests, func(n string) string { return n })}
	if d := one.DurationMs; d != nil {
		f.Median = fmt.Sprintf("%.1f ms", d.Median)
		if d.CI95 != nil {
			f.Interval = fmt.Sprintf("%.1f to %.1f ms", d.CI95[0], d.CI95[1])
		}
	}
	return f
}

// shares says what all had in common, or how often each was seen.
func shares(counts map[string]int, words func(string) string) string {
	var parts []string
	for key, n := range counts {
		part := words(key)
		if len(counts) > 1 {
			part = fmt.Sprintf("%d × %s", n, part)
		}
		parts = append(parts, part)
	}
	slices.Sort(parts)
	return strings.Join(parts, ", ")
}

// notes are the reasons of what did not pass, and what does not count.
func notes(one verdict.Series) []string {
	var list []string
	if out := one.Invalid + one.Disturbed; out > 0 {
		list = append(list, fmt.Sprintf("%s: %d of %d do not count: invalid, or disturbed by this machine.", one.Label, out, one.Planned))
	}
	for _, c := range one.Checks {
		if c.Verdict != verdict.Pass {
			list = append(list, fmt.Sprintf("%s: %s is %s: expected %s, found %s. %s", one.Label, c.Requirement, c.Verdict, c.Expected, c.Actual, c.Reason))
		}
	}
	return list
}
