package analysis

import (
	"slices"

	"github.com/deadlinelab/deadlinelab/internal/console"
	"github.com/deadlinelab/deadlinelab/internal/scenario"
	"github.com/deadlinelab/deadlinelab/internal/view"
)

// Judged is a run that was read from its directory and judged again.
type Judged struct {
	view.Input
	analysis *Run
}

// ReadJudged reads the run in a directory and judges it, with notes on what its
// files lack.
func ReadJudged(s console.Streams, path string) (Judged, error) {
	a, err := Open(path)
	if err != nil {
		return Judged{}, err
	}
	a.printNotes(s)
	in := a.input()
	in.Operations = a.Merged.Operations
	return Judged{in, a}, nil
}

// Changed names the scenarios that measure something else now than the run did.
func (j Judged) Changed(now []*scenario.Scenario) []string {
	var names []string
	for _, s := range now {
		if measured := j.analysis.scenario(s.Name); measured != nil && !slices.Equal(settings(measured), settings(s)) {
			names = append(names, s.Name)
		}
	}
	return names
}
