package report

import (
	"github.com/deadlinelab/deadlinelab/internal/textui"
	"github.com/deadlinelab/deadlinelab/internal/verdict"
	"github.com/deadlinelab/deadlinelab/internal/view"
)

// pageFinding is a check in a table.
type pageFinding struct {
	Scenario, ID, Name                    string
	Requirement, Expected, Actual, Reason string
	Next                                  string // command that shows it; empty for a check that held
	Again                                 string // command that judges it anew; empty unless it failed
	Mark                                  view.VerdictMark
}

// findings sorts what did not pass: failures are shown, doubts folded away.
func (p *page) findings(in view.Input) {
	for _, f := range in.Summary.Findings() {
		one := newPageFinding(f.Series, f.Check)
		one.Next, one.Again = in.Next(f), in.Again(f)
		if f.Check.Verdict == verdict.Fail {
			p.Failures = append(p.Failures, one)
		} else {
			p.Doubts = append(p.Doubts, one)
		}
	}
}

func newPageFinding(s verdict.Series, c verdict.Check) pageFinding {
	return pageFinding{Scenario: s.Scenario, ID: view.SeriesID(s), Name: textui.FullName(s.Label, s.Variant), Requirement: c.Requirement, Expected: c.Expected, Actual: c.Actual,
		Reason: c.Reason, Mark: view.VerdictMarks[c.Verdict]}
}

// checksOf are all checks of a group, those that held as well.
func checksOf(g verdict.Group) []pageFinding {
	var list []pageFinding
	for _, s := range g.Series {
		for _, c := range s.Checks {
			list = append(list, newPageFinding(s, c))
		}
	}
	return list
}
