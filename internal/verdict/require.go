package verdict

import (
	"fmt"

	"github.com/deadlinelab/deadlinelab/internal/timeline"
	"github.com/deadlinelab/deadlinelab/internal/wording"
)

// What Require understands.
const (
	RequireKept    = "kept"    // every operation kept its promise
	RequireBounded = "bounded" // no operation was late or unbounded
)

// Requirements lists them.
var Requirements = []string{RequireKept, RequireBounded}

// Require adds to every series, also to one without an expectation, a check on
// the promise, and computes the verdicts again. No requirement adds none.
func Require(s *Summary, requirement string) error {
	if requirement == "" {
		return nil
	}
	if requirement != RequireKept && requirement != RequireBounded {
		return fmt.Errorf("--require %q: expected kept or bounded", requirement)
	}
	for i := range s.Series {
		one := &s.Series[i]
		if one.NotApplicable != "" {
			continue // nobody can require what cannot be asked
		}
		one.Checks = append(one.Checks, one.evidence.enough(one.evidence.promise(requirement)))
	}
	s.Finalize()
	return nil
}

// promise fails for an operation that broke it, unless stalls of the machine
// explain all of these.
func (e evidence) promise(requirement string) Check {
	s := e.series
	late, unbounded := s.Promise[string(timeline.Late)], s.Promise[string(timeline.Unbounded)]
	c := Check{Requirement: "require", Expected: requirement, Actual: e.of(wording.Mix(s.Promise, wording.PromiseOrder))}
	if requirement == RequireKept {
		kept := s.Promise[string(timeline.Kept)]
		c = e.excuseRequired(e.verdict(c, kept == s.N), kept+late == s.N)
		return e.undecided(e.excuseOutcome(c, func(o *timeline.Operation) bool { return o.Promise == timeline.Kept }))
	}
	return e.undecided(e.excuseRequired(e.verdict(c, late+unbounded == 0), unbounded == 0))
}

// excuseRequired doubts a failure by lateness alone, which the machine explains.
func (e evidence) excuseRequired(c Check, onlyLate bool) Check {
	return e.late(e.nearMargin(c, onlyLate), onlyLate)
}

// enough doubts a requirement that holds for what is left after too many
// operations were found invalid or are missing. A client that broke has failed
// already.
func (e evidence) enough(c Check) Check {
	if v := e.validity(); c.Verdict == Pass && v.Verdict == Inconclusive && e.series.Broken == 0 {
		c.Verdict, c.Reason = v.Verdict, v.Reason
	}
	return c
}

// undecided is a requirement that holds only because start-ups vary: by how much
// they do, more than one operation in twenty may have been late as well.
func (e evidence) undecided(c Check) Check {
	s := e.series
	if c.Verdict == Pass && wording.TooClose(s) {
		c.Verdict = Inconclusive
		c.Reason = fmt.Sprintf("%d of %d ended so little too late that it depends on the length of their own start-up: run it again when the machine is quiet, or write an adapter", s.Undecided, s.N)
	}
	return c
}
