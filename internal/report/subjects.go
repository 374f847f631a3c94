package report

import (
	"github.com/deadlinelab/deadlinelab/internal/eventlog"
	"github.com/deadlinelab/deadlinelab/internal/timeline"
)

// Subjects finds the measured operations of a run with the helpers that serve
// them and their journals, in the order of the variants; nil draws every
// variant in the order of the run.
func Subjects(run *timeline.Run, variants []string) []Subject {
	var list []Subject
	for _, o := range run.Operations {
		if o.Phase == eventlog.Measured {
			list = append(list, Subject{Operation: o, Helpers: helpersOf(run, o.Op), Journal: run.Entries(o.Op)})
		}
	}
	if variants == nil {
		return list
	}
	var ordered []Subject
	for _, v := range variants {
		for _, s := range list {
			if s.Operation.Variant == v {
				ordered = append(ordered, s)
			}
		}
	}
	return ordered
}

func helpersOf(run *timeline.Run, op string) []*timeline.Operation {
	var list []*timeline.Operation
	for _, h := range run.Operations {
		if h.Phase == eventlog.Helper && h.For == op {
			list = append(list, h)
		}
	}
	return list
}
