package app

import (
	"testing"

	"github.com/deadlinelab/deadlinelab/internal/rundir"
	"github.com/deadlinelab/deadlinelab/internal/timeline"
)

// A defect of labserver is the run's end, whatever else is wrong with it.
func TestServerFailed(t *testing.T) {
	a := &analysis{dir: &rundir.Dir{}, merged: &timeline.Run{Problems: []timeline.Problem{
		{Op: "op-1", Requirement: timeline.TimeRuns, Found: "1", Expected: "2"}}}}
	if err := a.serverFailed(); err != nil {
		t.Errorf("got %v", err)
	}
	a.merged.Problems = append(a.merged.Problems, timeline.Problem{Op: "op-2", Requirement: timeline.ServerHolds, Found: "a panic: defect", Expected: "none"})
	if err := a.serverFailed(); CodeOf(err) != ExitInternal {
		t.Errorf("got %v with code %d", err, CodeOf(err))
	}
}
