package scenario

import (
	"fmt"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"gopkg.in/yaml.v3"
)

// Schema and version of plan.yaml. A reader refuses a newer major version.
const (
	PlanSchema        = "deadlinelab/plan"
	PlanSchemaVersion = "1.0.0"
)

// maxPlanValues bounds what a plan expands to.
const maxPlanValues = 500_000

// Plan is what a run measures: every cell, and every scenario with all of its
// defaults filled in, so that a later version reads the same settings.
type Plan struct {
	Schema        string      `yaml:"schema"`
	SchemaVersion string      `yaml:"schema_version"`
	Seed          int64       `yaml:"seed"`
	Repeats       int         `yaml:"repeats"`
	Operations    int         `yaml:"operations"`        // of each cell in one repeat
	Groups        int         `yaml:"groups"`            // the same where several callers have one client; 0 = as many as operations
	Clients       []Client    `yaml:"clients,omitempty"` // those that run in processes of their own
	Cells         []Cell      `yaml:"cells"`
	Scenarios     []*Scenario `yaml:"scenarios"`
}

// Cell is one variant in one scenario.
type Cell struct {
	Scenario string `yaml:"scenario"`
	Variant  string `yaml:"variant"`
	Label    string `yaml:"label"`

	NotApplicable string `yaml:"not_applicable,omitempty"` // why the client cannot be measured in the scenario; such a cell has no operations
}

// ItemsOf is how many items of a cell of the scenario one repeat measures: an
// item is an operation, or a group of callers of one client.
func (p *Plan) ItemsOf(s *Scenario) int {
	if p.Groups > 0 && s.CallersOf() > 1 {
		return p.Groups
	}
	return p.Operations
}

// MarshalPlan writes plan.yaml. Schema and version are filled in.
func MarshalPlan(p *Plan) ([]byte, error) {
	root := &yaml.Node{Kind: yaml.MappingNode}
	put(root, "schema", text(PlanSchema))
	put(root, "schema_version", text(PlanSchemaVersion))
	put(root, "seed", plain("!!int", fmt.Sprint(p.Seed)))
	put(root, "repeats", plain("!!int", fmt.Sprint(p.Repeats)))
	put(root, "operations", plain("!!int", fmt.Sprint(p.Operations)))
	if p.Groups > 0 {
		put(root, "groups", plain("!!int", fmt.Sprint(p.Groups)))
	}
	if len(p.Clients) > 0 {
		put(root, "clients", sequence(p.Clients, func(c Client) *yaml.Node { return section(fieldsOf(reflect.ValueOf(&c).Elem())) }))
	}
	put(root, "cells", sequence(p.Cells, func(c Cell) *yaml.Node { return inLine(reflect.ValueOf(c)) }))
	put(root, "scenarios", sequence(p.Scenarios, (*Scenario).tree))
	return write(root)
}

// sequence has one node for each element.
func sequence[E any](elements []E, node func(E) *yaml.Node) *yaml.Node {
	n := &yaml.Node{Kind: yaml.SequenceNode}
	for _, e := range elements {
		n.Content = append(n.Content, node(e))
	}
	return n
}

// ParsePlan reads plan.yaml as strictly as Parse reads a scenario.
func ParsePlan(file string, data []byte) (*Plan, error) {
	root, err := readTree(file, data, maxPlanBytes)
	if err != nil {
		return nil, err
	}
	w := newWalker(file)
	w.limit = maxPlanValues
	p := &Plan{}
	w.value("", root, reflect.ValueOf(p).Elem())
	if w.clean("") {
		w.checkPlan(p)
	}
	if err := w.errs.asError(); err != nil {
		return nil, err
	}
	return p, nil
}

// decodeScenario reads one of a plan's scenarios: its paths and positions are
// its own, its problems and its size count for the plan.
func decodeScenario(w *walker, _ string, n *yaml.Node, v reflect.Value) {
	one := newWalker(w.file)
	one.values, one.limit = w.values, w.limit
	v.Set(reflect.ValueOf(one.scenario(n)))
	w.errs, w.values = append(w.errs, one.errs...), one.values
}

func (w *walker) checkPlan(p *Plan) {
	for _, key := range []string{"schema", "schema_version", "seed", "repeats", "operations", "cells", "scenarios"} {
		if !w.has(key) {
			w.reject(key, "nothing", "the key "+key, "take the plan.yaml that the run wrote")
		}
	}
	if w.has("schema") && p.Schema != PlanSchema {
		w.reject("schema", quoted(p.Schema), quoted(PlanSchema), "check that this is a plan.yaml")
	}
	if w.has("schema_version") && !readable(p.SchemaVersion) {
		w.reject("schema_version", quoted(p.SchemaVersion), "a version up to that of this program, "+PlanSchemaVersion, "use the bench that wrote the plan, or a newer one")
	}
	w.checkPlanScenarios(p)
	w.checkClients(p)
	w.checkCells(p)
}

// readable: the same major version, or an older one.
func readable(version string) bool {
	major, _, _ := strings.Cut(version, ".")
	own, _, _ := strings.Cut(PlanSchemaVersion, ".")
	n, err := strconv.Atoi(major)
	top, _ := strconv.Atoi(own)
	return err == nil && n >= 1 && n <= top
}

func (w *walker) checkPlanScenarios(p *Plan) {
	for i, s := range p.Scenarios {
		if s == nil {
			continue
		}
		first := slices.IndexFunc(p.Scenarios, func(o *Scenario) bool { return o != nil && o.Name == s.Name })
		if first < i {
			w.reject(fmt.Sprintf("scenarios[%d]", i), quoted(s.Name)+" a second time", "each name once", "rename or remove it")
		}
	}
}

func (w *walker) checkCells(p *Plan) {
	if w.has("cells") && len(p.Cells) == 0 {
		w.reject("cells", "no cell", "at least one {scenario, variant, label}", "take the plan.yaml that the run wrote")
	}
	var known []string
	for _, s := range p.Scenarios {
		if s != nil {
			known = append(known, s.Name)
		}
	}
	for i, c := range p.Cells {
		at := fmt.Sprintf("cells[%d]", i)
		if !slices.Contains(known, c.Scenario) {
			w.reject(at+".scenario", quoted(c.Scenario), "one of the plan's scenarios: "+names(known), suggest(c.Scenario, known, "add the scenario"))
		}
		w.checkVariantName(at+".variant", c.Variant)
		w.checkVariantName(at+".label", c.Label)
	}
	once(w, "cells", p.Cells)
}
