package report

import (
	"fmt"

	"github.com/deadlinelab/deadlinelab/internal/timeline"
)

// What Require understands.
const (
	RequireKept    = "kept"    // every operation kept its promise
	RequireBounded = "bounded" // no operation was late or unbounded
)

// Requirements lists them.
var Requirements = []string{RequireKept, RequireBounded}

// Require adds to every series, also to one without an expectation, a check on
// the promise, and settles the verdicts again. No requirement adds none.
func Require(s *Summary, requirement string) error {
	if requirement == "" {
		return nil
	}
	if requirement != RequireKept && requirement != RequireBounded {
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
	if requirement == RequireKept {
		return e.verdict(c, s.Promise[string(timeline.Kept)] == s.N)
	}
	return e.verdict(c, s.Promise[string(timeline.Late)]+s.Promise[string(timeline.Unbounded)] == 0)
}
