package report

import (
	"fmt"

	"github.com/deadlinelab/deadlinelab/internal/timeline"
)

// Requirements lists what Require understands.
var Requirements = []string{"kept", "bounded"}

// Require adds to every series, also to one without an expectation, a check on
// the promise: kept = every operation kept it, bounded = none was late or
// unbounded. It settles the verdicts again.
func Require(s *Summary, requirement string) error {
	if requirement != "kept" && requirement != "bounded" {
		return fmt.Errorf("--require %q: expected kept or bounded", requirement)
	}
	for i := range s.Series {
		one := &s.Series[i]
		one.Checks = append(one.Checks, promiseCheck(one.Series, requirement))
	}
	s.settle()
	return nil
}

func promiseCheck(s timeline.Series, requirement string) Check {
	e := evidence{series: s}
	c := Check{Requirement: "require", Expected: requirement, Actual: e.of(mix(s.Promise, promiseOrder))}
	if requirement == "kept" {
		return e.verdict(c, s.Promise[string(timeline.Kept)] == s.N)
	}
	return e.verdict(c, s.Promise[string(timeline.Late)]+s.Promise[string(timeline.Unbounded)] == 0)
}
