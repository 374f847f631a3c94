package compare

import (
	"slices"

	"github.com/deadlinelab/deadlinelab/internal/timeline"
)

// Pair sets a variant of the old run against another one of the new run.
type Pair struct{ Old, New string }

// against lists the variants that an old variant is compared with.
func (o Options) against(variant string) (list []string) {
	if len(o.Pairs) == 0 {
		return []string{variant}
	}
	for _, p := range o.Pairs {
		if p.Old == variant {
			list = append(list, p.New)
		}
	}
	return list
}

// wanted tells whether a new variant stands against any old one.
func (o Options) wanted(variant string) bool {
	return len(o.Pairs) == 0 || slices.ContainsFunc(o.Pairs, func(p Pair) bool { return p.New == variant })
}

// pairing sorts the series of two runs into what both have and what one lacks.
type pairing struct {
	both             [][2]*timeline.Series
	onlyOld, onlyNew []Name
}

func (o Options) pair(old, new []timeline.Series) pairing {
	p := pairing{onlyOld: []Name{}, onlyNew: []Name{}}
	met, there := map[cell]bool{}, byCell(new)
	for i := range old {
		if old[i].NotApplicable != "" {
			continue // the new side, if it has operations, is alone
		}
		for _, variant := range o.against(old[i].Variant) {
			c := cell{old[i].Scenario, variant}
			if there[c] == nil || there[c].NotApplicable != "" {
				p.onlyOld = append(p.onlyOld, nameOf(&old[i]).because(there[c]))
				continue
			}
			met[c] = true
			p.both = append(p.both, [2]*timeline.Series{&old[i], there[c]})
		}
	}
	for i := range new {
		if o.wanted(new[i].Variant) && !met[cellOf(&new[i])] && new[i].NotApplicable == "" {
			p.onlyNew = append(p.onlyNew, nameOf(&new[i]).because(o.counterpart(old, &new[i])))
		}
	}
	return p
}

func byCell(series []timeline.Series) map[cell]*timeline.Series {
	all := map[cell]*timeline.Series{}
	for i := range series {
		all[cellOf(&series[i])] = &series[i]
	}
	return all
}

// counterpart is the old series that a new one stands against, nil without one.
func (o Options) counterpart(old []timeline.Series, s *timeline.Series) *timeline.Series {
	for i := range old {
		if old[i].Scenario == s.Scenario && slices.Contains(o.against(old[i].Variant), s.Variant) {
			return &old[i]
		}
	}
	return nil
}

// because says why the other run has no such series, if it says so itself.
func (n Name) because(other *timeline.Series) Name {
	if other != nil && other.NotApplicable != "" {
		n.Reason = "not applicable there: " + other.NotApplicable
	}
	return n
}

func nameOf(s *timeline.Series) Name {
	return Name{Scenario: s.Scenario, Variant: s.Variant, Label: s.Label}
}
