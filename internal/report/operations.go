package report

import (
	"cmp"
	"slices"

	"github.com/deadlinelab/deadlinelab/internal/eventlog"
	"github.com/deadlinelab/deadlinelab/internal/timeline"
)

// cellKey names one variant in one scenario.
type cellKey struct{ scenario, variant, label string }

// archive finds the operations behind a summary: those of a series, and the
// helpers that were arranged around one.
type archive struct {
	byID    map[string]*timeline.Operation
	helpers map[string][]*timeline.Operation
	series  map[cellKey][]*timeline.Operation // measured, in the order of strips
}

func newArchive(operations []*timeline.Operation) archive {
	var helpers []*timeline.Operation
	a := archive{byID: map[string]*timeline.Operation{}, helpers: map[string][]*timeline.Operation{}, series: map[cellKey][]*timeline.Operation{}}
	for _, o := range operations {
		switch o.Phase {
		case eventlog.Measured:
			key := cellKey{o.Scenario, o.Variant, o.Label}
			a.byID[o.Op] = o
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

func (a archive) of(s timeline.Series) []*timeline.Operation {
	return a.series[cellKey{s.Scenario, s.Variant, s.Label}]
}

// servedBy is the operation that a helper serves, or the group whose first
// caller it serves.
func (a archive) servedBy(h *timeline.Operation) string {
	if of := a.byID[h.For]; of != nil {
		return cmp.Or(of.Group, of.Op)
	}
	return h.For
}

// subject is an operation with its helpers, without a journal.
func (a archive) subject(o *timeline.Operation) Subject {
	return Subject{Operation: o, Helpers: a.helpers[cmp.Or(o.Group, o.Op)]}
}

// representatives are the typical operations of a group's series, in its order.
func (a archive) representatives(g group) []Subject {
	var list []Subject
	for _, s := range g.series {
		if o := a.byID[s.Representative]; o != nil {
			list = append(list, a.subject(o))
		}
	}
	return list
}

// counted tells the operations that are in the series from those that are
// invalid, disturbed or never ended.
func counted(o *timeline.Operation) bool { return o.Finished && o.Valid && !o.Disturbed }

// sortForStrip brings together what a strip draws in one go: the outcomes, the
// commonest first, and in each what was counted, by promise.
func sortForStrip(list []*timeline.Operation) {
	tally := map[string]int{}
	for _, o := range list {
		tally[string(o.Outcome)]++
	}
	place := map[string]int{}
	for i, k := range mixKeys(tally, outcomeOrder) {
		place[k] = i
	}
	slices.SortStableFunc(list, func(a, b *timeline.Operation) int {
		return cmp.Or(cmp.Compare(place[string(a.Outcome)], place[string(b.Outcome)]), compareBool(counted(b), counted(a)),
			cmp.Compare(promiseOrder[string(a.Promise)], promiseOrder[string(b.Promise)]), cmp.Compare(a.Repeat, b.Repeat), cmp.Compare(a.Index, b.Index))
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
