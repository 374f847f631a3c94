package lab

import (
	"slices"
	"strings"

	"github.com/deadlinelab/deadlinelab/internal/exit"
	"github.com/deadlinelab/deadlinelab/internal/nearest"
	"github.com/deadlinelab/deadlinelab/internal/scenario"
)

// everyRung stands for the whole ladder.
const everyRung = "all"

// RungNames lists what --rung takes: the rungs that have a scenario, in the
// order of a request's life, the core, and all.
func RungNames() []string {
	var names []string
	for _, s := range scenario.Ladder() {
		if p := s.StallPoint(); !slices.Contains(names, p) {
			names = append(names, p)
		}
	}
	return append(names, scenario.CoreRung, everyRung)
}

// OnRungs are the embedded scenarios of the named rungs, in the ladder's order.
// A scenario of the core is also on the rung that it is about.
func OnRungs(names []string) ([]*scenario.Scenario, error) {
	known := RungNames()
	for _, name := range names {
		if !slices.Contains(known, name) {
			return nil, exit.Usagef("expected one of "+strings.Join(known, ", "), "--rung %q is no rung with a scenario%s", name, nearest.DidYouMean(name, known))
		}
	}
	return slices.DeleteFunc(scenario.Ladder(), func(s *scenario.Scenario) bool {
		return !slices.Contains(names, everyRung) && !slices.Contains(names, s.Rung) && !slices.Contains(names, s.StallPoint())
	}), nil
}

// scenarios are those of --rung, else the named ones.
func (s Selection) scenarios() ([]*scenario.Scenario, error) {
	list, err := s.named()
	if err != nil {
		return nil, err
	}
	return list, CapAt(list, s.Cap)
}

func (s Selection) named() ([]*scenario.Scenario, error) {
	switch {
	case len(s.Rungs) == 0:
		return LoadScenarios(s.Scenarios)
	case len(s.Scenarios) > 0:
		return nil, exit.Usagef("leave one of them out", "found scenarios and --rung, expected either: --rung names the scenarios")
	}
	return OnRungs(s.Rungs)
}
