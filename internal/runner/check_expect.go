package runner

import (
	"fmt"
	"maps"
	"slices"

	"github.com/deadlinelab/deadlinelab/internal/eventlog"
	"github.com/deadlinelab/deadlinelab/internal/scenario"
	"github.com/deadlinelab/deadlinelab/internal/variants"
)

// checkExpectations refuses what a variant cannot show, built as it is.
func checkExpectations(s *scenario.Scenario) []error {
	var problems []error
	for _, name := range slices.Sorted(maps.Keys(s.Expect)) {
		v, known := variants.Find(name)
		if !known {
			continue
		}
		path, e := "expect."+name, s.Expect[name]
		if most := mostAttempts(s, v.Placement); e.Attempts != nil && !e.Attempts.AnyUpTo(most) {
			problems = append(problems, fmt.Errorf("%s: %s.attempts: found %s, expected at most %d, all that %s makes under operation.max_attempts; change one of the two",
				s.At(path+".attempts"), path, scenario.CountText(*e.Attempts), most, v.Name))
		}
		if e.WasteMs != nil && !e.WasteMs.Holds(0) && e.Outcome != nil && !mayWaste(v.Placement, *e.Outcome) {
			problems = append(problems, fmt.Errorf("%s: %s.waste_ms: found %s, expected 0, because only a deadline that fires in a backoff wastes time and the outcome is %s; change one of the two",
				s.At(path+".waste_ms"), path, scenario.WindowText(*e.WasteMs), *e.Outcome))
		}
	}
	return problems
}

// mostAttempts is how many a variant makes at most, in all of its calls.
func mostAttempts(s *scenario.Scenario, place variants.Placement) int {
	attempts := s.Operation.MaxAttempts
	if place.MaxAttempts > 0 {
		attempts = place.MaxAttempts
	}
	return attempts * max(1, place.Calls)
}

// mayWaste reports whether an operation that ends so can have slept up to a
// deadline in vain: some go on when it has fired.
func mayWaste(place variants.Placement, outcome eventlog.Outcome) bool {
	return outcome == eventlog.DeadlineExceeded || place.Calls > 1 || place.UnboundPause || place.UnboundLoop
}
