package verdict

import (
	"testing"

	"github.com/deadlinelab/deadlinelab/internal/rundir"
	"github.com/deadlinelab/deadlinelab/internal/timeline"
)

// A run in which nothing can be measured proves nothing, whether something is
// required of it or not.
func TestNothingMeasured(t *testing.T) {
	off := timeline.Series{Scenario: "semaphore_wait", Variant: "curl", NotApplicable: "the client has no slots"}
	on := timeline.Series{Scenario: "slow_body", Variant: "curl", N: 6, Planned: 6}
	for _, requirement := range []string{"", RequireBounded} {
		s := Judge(nil, []timeline.Series{off, off}, nil)
		s.Status = rundir.Complete
		if err := Require(s, requirement); err != nil || s.Verdict != Inconclusive || ExitCode(s, false) != 12 {
			t.Errorf("%q: %s, %v", requirement, s.Verdict, err)
		}
	}
	if s := Judge(nil, []timeline.Series{off, on}, nil); s.Verdict == Inconclusive {
		t.Errorf("one that is measured: %s", s.Verdict)
	}
}
