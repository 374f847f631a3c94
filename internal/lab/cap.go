package lab

import (
	"time"

	"github.com/deadlinelab/deadlinelab/internal/exit"
	"github.com/deadlinelab/deadlinelab/internal/scenario"
)

// CapAt gives every scenario the hard cap of --cap; 0 leaves each its own.
func CapAt(scenarios []*scenario.Scenario, hardCap time.Duration) error {
	if hardCap == 0 {
		return nil
	}
	ms := float64(hardCap) / float64(time.Millisecond)
	if ms < 1 || ms > scenario.MaxCapMs {
		return exit.Usagef("", "--cap %s: expected at most %s, with its unit, such as 20s", hardCap, scenario.MaxCapMs*time.Millisecond)
	}
	for _, s := range scenarios {
		if ms <= s.LeastCapMs() {
			return exit.Usagef("leave it out for three times the budget and 5 s", "--cap %s: expected more than %g ms, the budget of %s and the margin", hardCap, s.LeastCapMs(), s.Name)
		}
		s.CapMs = &ms
	}
	return nil
}
