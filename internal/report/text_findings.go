package report

import "fmt"

func (t textReport) findings() {
	for _, alike := range joined(t.in.Summary.findings()) {
		if len(alike) == 1 {
			t.finding(alike[0])
		} else {
			t.doubt(alike)
		}
		t.lines("")
	}
}

func (t textReport) finding(f finding) {
	t.headed(f.check.Verdict, string(f.check.Verdict)+"  ", f.about()+": "+plain(f.check.Requirement))
	t.wrapped("  expected  ", f.check.Expected)
	t.wrapped("  actual    ", f.check.Actual)
	if f.check.Reason != "" {
		t.wrapped("  reason    ", f.check.Reason)
	}
	for _, at := range t.in.references(f) {
		t.wrapped("  "+pad(at.what, 10), at.where)
	}
	t.wrapped("  next      ", t.in.next(f))
	if again := t.in.again(f); again != "" {
		t.wrapped("  again     ", again)
	}
}

// doubt is one reason to doubt several series: on a noisy machine it concerns
// many, and what to do about it is the same for all.
func (t textReport) doubt(alike []finding) {
	first := alike[0]
	t.headed(first.check.Verdict, string(first.check.Verdict)+"  ", fmt.Sprintf("%s, in %d series", plain(first.check.Requirement), len(alike)))
	t.wrapped("  expected  ", first.check.Expected)
	for i, f := range alike {
		t.wrapped([]string{"  actual    ", "            "}[min(i, 1)], f.about()+": "+f.check.Actual)
	}
	if first.check.Reason != "" {
		t.wrapped("  reason    ", first.check.Reason)
	}
	t.wrapped("  next      ", "run it again when the machine is quiet; "+t.in.bench("doctor")+" says what it can show")
}

func (f finding) about() string {
	return plain(f.series.Scenario) + ", " + fullName(f.series.Label, f.series.Variant)
}

// joined puts doubts with the same requirement and reason together; a failure
// stands alone.
func joined(list []finding) [][]finding {
	var groups [][]finding
	place := map[[3]string]int{}
	for _, f := range list {
		key := [3]string{f.check.Requirement, f.check.Expected, f.check.Reason}
		i, known := place[key]
		if f.check.Verdict == Fail || !known {
			i = len(groups)
			groups = append(groups, nil)
			if f.check.Verdict != Fail {
				place[key] = i
			}
		}
		groups[i] = append(groups[i], f)
	}
	return groups
}
