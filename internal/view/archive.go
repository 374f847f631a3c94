package view

import (
	"cmp"
	"slices"

	"github.com/deadlinelab/deadlinelab/internal/chart"
	"github.com/deadlinelab/deadlinelab/internal/eventlog"
	"github.com/deadlinelab/deadlinelab/internal/timeline"
	"github.com/deadlinelab/deadlinelab/internal/verdict"
	"github.com/deadlinelab/deadlinelab/internal/wording"
)

// cellKey names one variant in one scenario.
type cellKey struct{ scenario, variant, label string }

// Archive finds the operations behind a summary: those of a series, and the
// helpers that were arranged around one.
type Archive struct {
	ByID    map[string]*timeline.Operation
	helpers map[string][]*timeline.Operation
	series  map[cellKey][]*timeline.Operation // measured, in the order of strips
}

// NewArchive sorts the operations of a run.
func NewArchive(operations []*timeline.Operation) Archive {
	var helpers []*timeline.Operation
	a := Archive{ByID: map[string]*timeline.Operation{}, helpers: map[string][]*timeline.Operation{}, series: map[cellKey][]*timeline.Operation{}}
	for _, o := range operations {
		switch o.Phase {
		case eventlog.Measured:
			key := cellKey{o.Scenario, o.Variant, o.Label}
			a.ByID[o.Op] = o
			a.series[key] = append(a.series[key], o)
		case eventlog.Helper:
			helpers = append(helpers, o)
		}
	}
	for _, h := range helpers {
		a.helpers[a.servedBy(h)] = append(a.helpers[a.servedBy(h)], h)
	}
	for _, list := range a.series {
		sortForStrip(list)
	}
	return a
}

// Of are the measured operations of a series, in the order of strips.
func (a Archive) Of(s timeline.Series) []*timeline.Operation {
	return a.series[cellKey{s.Scenario, s.Variant, s.Label}]
}

// servedBy is the operation that a helper serves, or the group whose first
// caller it serves.
func (a Archive) servedBy(h *timeline.Operation) string {
	if of := a.ByID[h.For]; of != nil {
		return cmp.Or(of.Group, of.Op)
	}
	return h.For
}

// Subject is an operation with its helpers, without a journal.
func (a Archive) Subject(o *timeline.Operation) chart.Subject {
	return chart.Subject{Operation: o, Helpers: a.helpers[cmp.Or(o.Group, o.Op)]}
}

// Representatives are the typical operations of a group's series, in its order.
func (a Archive) Representatives(g verdict.Group) []chart.Subject {
	var list []chart.Subject
	for _, s := range g.Series {
		if o := a.ByID[s.Representative]; o != nil {
			list = append(list, a.Subject(o))
		}
	}
	return list
}

// sortForStrip brings together what a strip draws in one go: the outcomes, the
// commonest first, and in each what was counted, by promise.
func sortForStrip(list []*timeline.Operation) {
	tally := map[string]int{}
	for _, o := range list {
		tally[string(o.Outcome)]++
	}
	place := map[string]int{}
	for i, k := range wording.Keys(tally, wording.OutcomeOrder) {
		place[k] = i
	}
	slices.SortStableFunc(list, func(a, b *timeline.Operation) int {
		return cmp.Or(cmp.Compare(place[string(a.Outcome)], place[string(b.Outcome)]), compareBool(verdict.Counted(b), verdict.Counted(a)),
			cmp.Compare(wording.PromiseOrder[string(a.Promise)], wording.PromiseOrder[string(b.Promise)]), cmp.Compare(a.Repeat, b.Repeat), cmp.Compare(a.Index, b.Index))
	})
}

func compareBool(a, b bool) int {
	switch {
	case a == b:
		return 0
	case a:
		return 1
	}
	return -1
}
