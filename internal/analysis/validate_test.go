package analysis

import (
	"testing"

	"github.com/deadlinelab/deadlinelab/internal/eventlog"
	"github.com/deadlinelab/deadlinelab/internal/timeline"
)

// What validate counts can be found again in a report, which counts the
// measured operations alone.
func TestByPhase(t *testing.T) {
	attempts := func(n int) *int { return &n }
	a := &Run{Merged: &timeline.Run{}}
	if got, want := a.byPhase("operation", one), "0 operations"; got != want {
		t.Errorf("no operation: %q, want %q", got, want)
	}
	a.Merged.Operations = []*timeline.Operation{
		{Phase: eventlog.Probe},
		{Phase: eventlog.Warmup, AttemptsAfterDeadline: attempts(1)},
		{Phase: eventlog.Measured, AttemptsAfterDeadline: attempts(0)},
		{Phase: eventlog.Measured},
		{Phase: eventlog.Startup},
		{Phase: eventlog.Helper},
	}
	want := "6 operations (2 measured, 1 warm-up, 1 helper, 1 probe, 1 start-up)"
	if got := a.byPhase("operation", one); got != want {
		t.Errorf("%q, want %q", got, want)
	}
	want = "1 attempt after a deadline (1 warm-up)"
	if got := a.byPhase("attempt after a deadline", afterDeadline); got != want {
		t.Errorf("%q, want %q", got, want)
	}
}
