package lab

import (
	"errors"
	"strings"
	"time"

	"github.com/deadlinelab/deadlinelab/internal/exit"
	"github.com/deadlinelab/deadlinelab/internal/nearest"
	"github.com/deadlinelab/deadlinelab/internal/runner"
	"github.com/deadlinelab/deadlinelab/internal/scenario"
	"github.com/deadlinelab/deadlinelab/internal/variants"
)

// Selection is what is to be run.
type Selection struct {
	Scenarios  []string // names or paths; none = the core scenarios
	Rungs      []string // instead of scenarios: all that are on these, or all
	Variants   []string // names or letters, or all; none = those each scenario lists
	Repeats    int
	Operations int
	Groups     int // of callers, in scenarios with several on one client; 0 = Operations
	Seed       int64
	Profile    string // full or smoke

	Cap time.Duration // hard cap of every operation; 0 = each scenario's own
}

// Smoke applies the smoke profile: six operations a cell in one repeat.
func (s *Selection) Smoke(repeats, operations bool) {
	if repeats {
		s.Repeats = 1
	}
	if operations {
		s.Operations = 6
	}
}

// Label names the run directory.
func (s Selection) Label(scenarios []*scenario.Scenario) string {
	switch {
	case s.Profile == "smoke":
		return "smoke"
	case len(scenarios) == 1:
		return scenarios[0].Name
	case len(s.Rungs) == 1 && s.Rungs[0] == everyRung:
		return "ladder"
	case len(s.Rungs) == 1:
		return s.Rungs[0]
	case len(s.Scenarios) == 0 && len(s.Rungs) == 0:
		return "core"
	}
	return "run"
}

func (s Selection) check() error {
	if s.Repeats < 1 || s.Repeats > 1000 {
		return exit.Usagef("", "--repeats %d: expected 1 to 1000", s.Repeats)
	}
	if s.Operations < 1 || s.Operations > 100000 {
		return exit.Usagef("", "--operations %d: expected 1 to 100000", s.Operations)
	}
	if s.Groups < 0 || s.Groups > 100000 {
		return exit.Usagef("", "--groups %d: expected 1 to 100000, or 0 for as many as --operations", s.Groups)
	}
	if s.Profile != "" && s.Profile != "full" && s.Profile != "smoke" {
		return exit.Usagef("", "--profile %q: expected full or smoke", s.Profile)
	}
	return nil
}

// Readable checks what can be checked before any client is started.
func (s Selection) Readable() error {
	if err := s.check(); err != nil {
		return err
	}
	if _, err := s.scenarios(); err != nil {
		return err
	}
	_, err := FindVariants(s.Variants)
	return err
}

// StartUnder is the scenario under which the start of a client that is a
// process per operation is measured: nothing in it waits.
const StartUnder = "healthy"

// Plan loads the scenarios and lays the run out.
func (s Selection) Plan() (*runner.Plan, error) { return s.PlanWith(&Clients{}) }

// PlanWith is plan with clients in processes of their own: alone, unless
// variants are asked for as well.
func (s Selection) PlanWith(c *Clients) (*runner.Plan, error) {
	if err := s.check(); err != nil {
		return nil, err
	}
	scenarios, err := s.scenarios()
	if err != nil {
		return nil, err
	}
	vs, err := FindVariants(s.Variants)
	if err != nil {
		return nil, err
	}
	startup, err := scenario.Load(StartUnder)
	if err != nil {
		return nil, err
	}
	plan, err := runner.NewPlan(scenarios, c.Alongside(vs), runner.Options{Seed: s.Seed, Repeats: s.Repeats, Operations: s.Operations, Groups: s.Groups,
		AndListed: all(s.Variants), Startup: startup})
	if err != nil {
		return nil, exit.Usagef("", "%w", err)
	}
	return plan, nil
}

// LoadScenarios loads scenarios by name or path, in that order.
func LoadScenarios(names []string) ([]*scenario.Scenario, error) {
	if len(names) == 0 {
		return scenario.Core(), nil
	}
	var list []*scenario.Scenario
	var problems []error
	for _, name := range names {
		s, err := scenario.Load(name)
		if err != nil {
			problems = append(problems, err)
			continue
		}
		list = append(list, s)
	}
	if len(problems) > 0 {
		return nil, exit.Usagef(ScenarioHint(problems[0], names), "%w", errors.Join(problems...))
	}
	return list, nil
}

// all tells whether names stands for every variant that fits any scenario,
// and those that each scenario lists.
func all(names []string) bool { return len(names) == 1 && strings.EqualFold(names[0], "all") }

// FindVariants is nil for none: each scenario's own list.
func FindVariants(names []string) ([]variants.Variant, error) {
	if all(names) {
		return variants.Everywhere(), nil
	}
	var list []variants.Variant
	for _, name := range names {
		v, ok := variants.Find(strings.TrimSpace(name))
		if !ok {
			return nil, exit.Usagef("`bench list --variants` shows them; all means every one and stands alone", "--variant %q is not a variant%s", name, nearest.DidYouMean(name, VariantNames()))
		}
		list = append(list, v)
	}
	return list, nil
}

// ScenarioNames lists the embedded scenarios.
func ScenarioNames() []string {
	var names []string
	for _, s := range scenario.All() {
		names = append(names, s.Name)
	}
	return names
}

// VariantNames lists the registered variants.
func VariantNames() []string {
	var names []string
	for _, v := range variants.All() {
		names = append(names, v.Name)
	}
	return names
}
