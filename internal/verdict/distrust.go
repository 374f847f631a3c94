package verdict

import "github.com/deadlinelab/deadlinelab/internal/timeline"

// Distrust adds a check to every series that says what in the run's directory
// is not what the run wrote, and computes the verdicts again: what was changed
// since proves nothing. Nothing found adds none.
func (s *Summary) Distrust(found []timeline.Problem) {
	for _, p := range found {
		s.Mismatches = append(s.Mismatches, p.String())
		for i := range s.Series {
			if one := &s.Series[i]; one.NotApplicable == "" {
				one.Checks = append(one.Checks, Check{Requirement: string(p.Requirement), Expected: p.Expected, Actual: p.Found, Verdict: Inconclusive,
					Reason: "what the run is judged by was changed since it was closed"})
			}
		}
	}
	s.Finalize()
}
