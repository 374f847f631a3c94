package report

// pageFinding is a check in a table.
type pageFinding struct {
	Scenario, ID, Name                    string
	Requirement, Expected, Actual, Reason string
	Next                                  string // command that shows it; empty for a check that held
	Again                                 string // command that judges it anew; empty unless it failed
	Mark                                  verdictMark
}

// findings sorts what did not pass: failures are shown, doubts folded away.
func (p *page) findings(in Input) {
	for _, f := range in.Summary.findings() {
		one := newPageFinding(f.series, f.check)
		one.Next, one.Again = in.next(f), in.again(f)
		if f.check.Verdict == Fail {
			p.Failures = append(p.Failures, one)
		} else {
			p.Doubts = append(p.Doubts, one)
		}
	}
}

func newPageFinding(s Series, c Check) pageFinding {
	return pageFinding{Scenario: s.Scenario, ID: seriesID(s), Name: fullName(s.Label, s.Variant), Requirement: c.Requirement, Expected: c.Expected, Actual: c.Actual,
		Reason: c.Reason, Mark: verdictMarks[c.Verdict]}
}

// checksOf are all checks of a group, those that held as well.
func checksOf(g group) []pageFinding {
	var list []pageFinding
	for _, s := range g.series {
		for _, c := range s.Checks {
			list = append(list, newPageFinding(s, c))
		}
	}
	return list
}
