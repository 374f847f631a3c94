package chart

import (
	"cmp"
	"slices"

	"github.com/deadlinelab/deadlinelab/internal/eventlog"
	"github.com/deadlinelab/deadlinelab/internal/timeline"
)

// Subjects finds the measured operations of a run with the helpers that serve
// them and their journals: in the order of the given variants, or for nil all
// of them by label, so that a drawing does not depend on who started first.
func Subjects(run *timeline.Run, variants []string) []Subject {
	var list []Subject
	for _, o := range run.Operations {
		if o.Phase == eventlog.Measured && (variants == nil || slices.Contains(variants, o.Variant)) {
			helpers := helpersOf(run, o)
			list = append(list, Subject{Operation: o, Helpers: helpers, Journal: journalOf(run, o, helpers)})
		}
	}
	slices.SortStableFunc(list, func(a, b Subject) int {
		if variants != nil {
			return slices.Index(variants, a.Operation.Variant) - slices.Index(variants, b.Operation.Variant)
		}
		return cmp.Or(cmp.Compare(len(a.Operation.Label), len(b.Operation.Label)), cmp.Compare(a.Operation.Label, b.Operation.Label))
	})
	return list
}

// helpersOf are the helpers of an operation, or of its group: they are arranged
// around its first caller.
func helpersOf(run *timeline.Run, o *timeline.Operation) []*timeline.Operation {
	var list []*timeline.Operation
	for _, h := range run.Operations {
		if h.Phase == eventlog.Helper && serves(h, run.Operation(h.For), o) {
			list = append(list, h)
		}
	}
	return list
}

// serves tells whether the helper of one operation is the helper of o.
func serves(h, of, o *timeline.Operation) bool {
	return h.For == o.Op || of != nil && of.Group != "" && of.Group == o.Group
}

// telling are the events of a helper that explain somebody else's wait.
var telling = map[eventlog.Kind]bool{eventlog.AdmissionAcquired: true, eventlog.AdmissionReleased: true, eventlog.ConnectionAcquired: true,
	eventlog.BodyFinished: true, eventlog.BackoffStarted: true, eventlog.BackoffFinished: true}

func journalOf(run *timeline.Run, o *timeline.Operation, helpers []*timeline.Operation) []timeline.Entry {
	ids := make([]string, len(helpers))
	for i, h := range helpers {
		ids[i] = h.Op
	}
	return slices.DeleteFunc(run.Entries(o.Op, ids...), func(e timeline.Entry) bool {
		return e.Op != o.Op && !telling[e.Kind]
	})
}
