package runner

import (
	"fmt"
	"maps"
	"slices"

	"github.com/deadlinelab/deadlinelab/internal/predict"
	"github.com/deadlinelab/deadlinelab/internal/scenario"
	"github.com/deadlinelab/deadlinelab/internal/variants"
)

// Clients lists those of the plan that run in processes of their own, in the
// order in which they were named.
func (p *Plan) Clients() []variants.Variant { return p.external }

// Variant finds a variant that takes part by its name, registered or external.
func (p *Plan) Variant(name string) (variants.Variant, bool) {
	v, ok := p.variants[name]
	return v, ok
}

// checkClients checks the external ones among the variants: ids and reports tell
// clients apart by their names alone.
func checkClients(vs []variants.Variant) error {
	var problems problemList
	named := map[string]bool{}
	for _, v := range vs {
		if v.External == nil {
			continue
		}
		switch _, taken := variants.Find(v.Name); {
		case !variants.ForeignName.MatchString(v.Name):
			problems.add(fmt.Errorf("client %q: expected a name of lower-case letters, digits and _ that begins with a letter, at most 32 of them; write NAME=COMMAND", v.Name))
		case taken:
			problems.add(fmt.Errorf("client %q: a variant of the bench has this name or letter; write NAME=COMMAND with another name", v.Name))
		case v.Label != v.Name:
			problems.add(fmt.Errorf("client %q: found the label %q, expected its name", v.Name, v.Label))
		case named[v.Name]:
			problems.add(fmt.Errorf("client %q: the name a second time, expected each once; write NAME=COMMAND with another name", v.Name))
		}
		named[v.Name] = true
	}
	return problems.err()
}

// documentOf is what plan.yaml says of an external client.
func documentOf(v variants.Variant) scenario.Client {
	f := v.External
	c := scenario.Client{Name: v.Name, Kind: f.Kind, Command: f.Command, Manifest: f.Manifest, Program: f.Program, Version: f.Version,
		Language: f.Language, Capabilities: f.Can, Clock: f.Clock}
	for _, name := range slices.Sorted(maps.Keys(f.Settings)) {
		c.Settings = append(c.Settings, scenario.ClientSetting{Name: name, Value: f.Settings[name]})
	}
	for _, status := range slices.Sorted(maps.Keys(f.Outcomes)) {
		c.Outcomes = append(c.Outcomes, scenario.ExitOutcome{Status: status, Outcome: string(f.Outcomes[status])})
	}
	return c
}

// externalCell is the series of a client in a process of its own. Nothing is
// known of how it places its boundaries: its budget stands for its duration.
func externalCell(s *scenario.Scenario, v variants.Variant) Cell {
	return Cell{Scenario: s.Name, Variant: v.Name, Label: v.Label, Computed: predict.UnknownPath(s), NotApplicable: notApplicable(s, v.External)}
}

// tooLong refuses an id that labserver would refuse.
func tooLong(id string) error {
	if len(id) <= longestID {
		return nil
	}
	return fmt.Errorf("operation id %q has %d characters, expected at most %d; shorten the name of the scenario or of the variant", id, len(id), longestID)
}

const longestID = 96
