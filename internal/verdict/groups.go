package verdict

import (
	"fmt"
	"strings"

	"github.com/deadlinelab/deadlinelab/internal/textui"
)

// Group is the series of one scenario.
type Group struct {
	Name   string
	Series []Series
}

// Groups keeps the order of the summary.
func (s *Summary) Groups() []Group {
	var list []Group
	place := map[string]int{}
	for _, one := range s.Series {
		i, known := place[one.Scenario]
		if !known {
			i = len(list)
			place[one.Scenario] = i
			list = append(list, Group{Name: one.Scenario})
		}
		list[i].Series = append(list[i].Series, one)
	}
	return list
}

// Finding is a check that did not pass, with the series it belongs to.
type Finding struct {
	Series Series
	Check  Check
}

// Findings lists failures first, then what is inconclusive.
func (s *Summary) Findings() []Finding {
	var list []Finding
	for _, v := range []Verdict{Fail, Inconclusive} {
		for _, one := range s.Series {
			for _, c := range one.Checks {
				if c.Verdict == v {
					list = append(list, Finding{one, c})
				}
			}
		}
	}
	return list
}

// Tally is "66 series: 64 pass, 2 fail".
func (c Counts) Tally() string {
	var parts []string
	add := func(n int, v Verdict) {
		if n > 0 {
			parts = append(parts, fmt.Sprintf("%d %s", n, v))
		}
	}
	add(c.Pass, Pass)
	add(c.Fail, Fail)
	add(c.Inconclusive, Inconclusive)
	add(c.Unjudged, Unjudged)
	add(c.NotApplicable, "not applicable")
	if len(parts) == 0 {
		return "no series"
	}
	return fmt.Sprintf("%d series: %s", c.Series, strings.Join(parts, ", "))
}

// About is whom the finding is about: "slow_headers, D operation_deadline".
func (f Finding) About() string {
	return textui.Plain(f.Series.Scenario) + ", " + textui.FullName(f.Series.Label, f.Series.Variant)
}
