package runner

import (
	"errors"
	"fmt"
	"maps"
	"slices"

	"github.com/deadlinelab/deadlinelab/internal/nearest"
	"github.com/deadlinelab/deadlinelab/internal/scenario"
	"github.com/deadlinelab/deadlinelab/internal/variants"
)

// problemList joins problems; one that was already named is not named again.
type problemList struct{ list []error }

func (p *problemList) add(errs ...error) {
	for _, err := range errs {
		if err != nil && !slices.ContainsFunc(p.list, func(other error) bool { return other.Error() == err.Error() }) {
			p.list = append(p.list, err)
		}
	}
}

func (p *problemList) err() error { return errors.Join(p.list...) }

func checkOptions(o Options) error {
	var problems problemList
	if o.Repeats < 1 {
		problems.add(fmt.Errorf("--repeats %d: expected at least 1", o.Repeats))
	}
	if o.Operations < 1 {
		problems.add(fmt.Errorf("--operations %d: expected at least 1", o.Operations))
	}
	if o.Groups < 0 {
		problems.add(fmt.Errorf("--groups %d: expected at least 1, or 0 for as many as --operations", o.Groups))
	}
	return problems.err()
}

// checkScenarios checks what the files name against what is registered.
func (p *Plan) checkScenarios() error {
	if len(p.Scenarios) == 0 {
		return errors.New("no scenario to run: name one; `bench list` shows them")
	}
	var problems problemList
	for _, s := range p.Scenarios {
		if other := p.byName[s.Name]; other != nil {
			problems.add(fmt.Errorf("%s: scenario %q is in the plan already, from %s; name it once", s.At("name"), s.Name, other.File))
		}
		p.byName[s.Name] = s
		problems.add(checkNames(s)...)
		problems.add(checkArrangement(s)...)
		problems.add(checkExpectations(s)...)
	}
	return problems.err()
}

func checkNames(s *scenario.Scenario) []error {
	var problems []error
	for i, name := range s.Variants {
		problems = append(problems, checkName(s, fmt.Sprintf("variants[%d]", i), name)...)
	}
	for i, name := range s.Contrast {
		problems = append(problems, checkName(s, fmt.Sprintf("contrast[%d]", i), name)...)
	}
	for _, name := range slices.Sorted(maps.Keys(s.Expect)) {
		problems = append(problems, checkName(s, "expect."+name, name)...)
	}
	return problems
}

func checkName(s *scenario.Scenario, path, name string) []error {
	if _, ok := variants.Find(name); ok {
		return nil
	}
	return []error{fmt.Errorf("%s: %s: found %q, expected a registered variant%s; `bench list --variants` shows them",
		s.At(path), path, name, nearest.DidYouMean(name, variants.Names()))}
}

// checkArrangement refuses what could never be arranged.
func checkArrangement(s *scenario.Scenario) []error {
	a := s.Fault.Arrangement()
	var problems []error
	if a.HoldSlot > 0 && s.Slots == 0 {
		problems = append(problems, fmt.Errorf("%s: slots: found none, expected at least 1 for %s, which occupies a slot; add `slots: 1`", s.At("slots"), s.Type))
	}
	if n := s.Connections(); a.HoldConnection > 0 && n != 1 {
		problems = append(problems, fmt.Errorf("%s: pool: found a limit of %d connections (0 = none), expected 1 for %s, which occupies the only one; write `pool: {limit: 1}`",
			s.At("pool"), n, s.Type))
	}
	return problems
}
