package runner

import (
	"github.com/deadlinelab/deadlinelab/internal/eventlog"
	"github.com/deadlinelab/deadlinelab/internal/fault"
)

// rehearse is what exchange n of an operation of that phase looks like from
// outside, for exchanges of helpers too, which fault.Answer leaves out.
func rehearse(f fault.Fault, phase eventlog.Phase, n int) fault.Answer {
	return fault.Rehearse(f, phase, n)
}
