package analysis

import (
	"testing"

	"github.com/deadlinelab/deadlinelab/internal/exit"
	"github.com/deadlinelab/deadlinelab/internal/rundir"
	"github.com/deadlinelab/deadlinelab/internal/timeline"
)

// A defect of labserver is the run's end, whatever else is wrong with it.
func TestServerFailed(t *testing.T) {
	a := &Run{Dir: &rundir.Dir{}, Merged: &timeline.Run{Problems: []timeline.Problem{
		{Op: "op-1", Requirement: timeline.TimeRuns, Found: "1", Expected: "2"}}}}
	if err := a.ServerFailed(); err != nil {
		t.Errorf("got %v", err)
	}
	a.Merged.Problems = append(a.Merged.Problems, timeline.Problem{Op: "op-2", Requirement: timeline.ServerHolds, Found: "a panic: defect", Expected: "none"})
	if err := a.ServerFailed(); exit.CodeOf(err) != exit.Internal {
		t.Errorf("got %v with code %d", err, exit.CodeOf(err))
	}
}
