package report

import (
	"fmt"

	"github.com/deadlinelab/deadlinelab/internal/textui"
	"github.com/deadlinelab/deadlinelab/internal/verdict"
)

func (t textReport) findings() {
	for _, alike := range joined(t.in.Summary.Findings()) {
		if len(alike) == 1 {
			t.finding(alike[0])
		} else {
			t.doubt(alike)
		}
		t.lines("")
	}
}

func (t textReport) finding(f verdict.Finding) {
	t.headed(f.Check.Verdict, string(f.Check.Verdict)+"  ", f.About()+": "+textui.Plain(f.Check.Requirement))
	t.wrapped("  expected  ", f.Check.Expected)
	t.wrapped("  actual    ", f.Check.Actual)
	if f.Check.Reason != "" {
		t.wrapped("  reason    ", f.Check.Reason)
	}
	for _, at := range t.in.References(f) {
		t.wrapped("  "+pad(at.What, 10), at.Where)
	}
	t.wrapped("  next      ", t.in.Next(f))
	if again := t.in.Again(f); again != "" {
		t.wrapped("  again     ", again)
	}
}

// doubt is one reason to doubt several series: on a noisy machine it concerns
// many, and what to do about it is the same for all.
func (t textReport) doubt(alike []verdict.Finding) {
	first := alike[0]
	t.headed(first.Check.Verdict, string(first.Check.Verdict)+"  ", fmt.Sprintf("%s, in %d series", textui.Plain(first.Check.Requirement), len(alike)))
	t.wrapped("  expected  ", first.Check.Expected)
	for i, f := range alike {
		t.wrapped([]string{"  actual    ", "            "}[min(i, 1)], f.About()+": "+f.Check.Actual)
	}
	if first.Check.Reason != "" {
		t.wrapped("  reason    ", first.Check.Reason)
	}
	t.wrapped("  next      ", "run it again when the machine is quiet; "+t.in.Bench("doctor")+" says what it can show")
}

// joined puts doubts with the same requirement and reason together; a failure
// stands alone.
func joined(list []verdict.Finding) [][]verdict.Finding {
	var groups [][]verdict.Finding
	place := map[[3]string]int{}
	for _, f := range list {
		key := [3]string{f.Check.Requirement, f.Check.Expected, f.Check.Reason}
		i, known := place[key]
		if f.Check.Verdict == verdict.Fail || !known {
			i = len(groups)
			groups = append(groups, nil)
			if f.Check.Verdict != verdict.Fail {
				place[key] = i
			}
		}
		groups[i] = append(groups[i], f)
	}
	return groups
}
