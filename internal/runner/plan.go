// Package runner lays a run out (Plan: pure, printable) and carries it out
// (Run): it arranges what surrounds each operation, hands the variants their
// instrumented transport, slots and pause, and keeps both event logs. It judges
// nothing.
package runner

import (
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/deadlinelab/deadlinelab/internal/eventlog"
	"github.com/deadlinelab/deadlinelab/internal/predict"
	"github.com/deadlinelab/deadlinelab/internal/scenario"
	"github.com/deadlinelab/deadlinelab/internal/variants"
)

// Options of a plan.
type Options struct {
	Seed       int64
	Repeats    int  // at least 1
	Operations int  // measured operations per cell and repeat, at least 1
	Groups     int  // the same where an item is several callers of one client; 0 = Operations
	NoWarmup   bool // leave out the one warm-up operation per cell
	AndListed  bool // beside the variants that are named, those that each scenario lists take part

	// Startup is a scenario with a healthy upstream, under which the start of
	// clients that are a process per operation is measured; nil = it is not.
	Startup *scenario.Scenario
}

// Plan is everything a run will do, in order.
type Plan struct {
	Seed       int64
	Repeats    int
	Operations int
	Groups     int // 0 = Operations
	Scenarios  []*scenario.Scenario
	Cells      []Cell // in report order: scenarios as given, variants by label
	Items      []Item // in the order of their starts; a cell that is not applicable has none

	byName   map[string]*scenario.Scenario
	variants map[string]variants.Variant // those that take part, by name
	external []variants.Variant          // clients in processes of their own
	startups []Cell                      // whose start is measured
}

// Cell is one series to be measured: a variant in a scenario.
type Cell struct {
	Scenario string
	Variant  string
	Label    string
	Computed predict.Path // what the waits add up to; of a client in a process of its own nothing is known, and its budget stands for its duration

	NotApplicable string // why the client cannot be measured in the scenario; empty = it can
}

// Item is one operation to start, or several callers of one client. Helper and
// Probe are the ids that its holder and its probe would have; whether they run
// follows from the scenario.
type Item struct {
	Op       string // the operation, or what its callers' ids begin with
	Callers  int    // at least 1
	Scenario string
	Variant  string
	Label    string
	Repeat   int // from 1; a warm-up belongs to the first
	Index    int // from 1 inside the repeat, of measured items and of start-ups apart; 0 for a warm-up
	Phase    eventlog.Phase
	Helper   string
	Probe    string
	Jitter   time.Duration // sub-millisecond phase of its start

	InSecond *time.Duration // how far into a second of the wall clock it starts; nil = anywhere
}

// NewPlan lays a run out without opening a socket. vs nil means those each
// scenario lists; a variant that a scenario does not list takes part unjudged.
// The error joins every problem, each with its file:line:column.
func NewPlan(scenarios []*scenario.Scenario, vs []variants.Variant, o Options) (*Plan, error) {
	p := &Plan{Seed: o.Seed, Repeats: o.Repeats, Operations: o.Operations, Groups: o.Groups, Scenarios: slices.Clone(scenarios),
		byName: map[string]*scenario.Scenario{}, variants: map[string]variants.Variant{}}
	if err := errors.Join(checkOptions(o), checkClients(vs)); err != nil {
		return nil, err
	}
	if err := p.checkScenarios(); err != nil {
		return nil, err
	}
	if err := p.addCells(vs, o.AndListed); err != nil {
		return nil, err
	}
	if err := p.addStartups(o.Startup); err != nil {
		return nil, err
	}
	if n := p.measured(); n > mostOperations {
		return nil, fmt.Errorf("--repeats %d × --operations %d × %d series: found %d operations, expected at most %d in one run; lower one of the two, or measure in several runs",
			o.Repeats, o.Operations, len(p.Cells), n, mostOperations)
	}
	p.order(o.NoWarmup)
	return p, nil
}

// mostOperations bounds a plan: its operations are laid out, and its logs
// analysed, in memory.
const mostOperations = 200_000

// measured is how many operations will be in series.
func (p *Plan) measured() int {
	n := 0
	for _, c := range p.Cells {
		n += p.Repeats * p.itemsOf(c) * p.byName[c.Scenario].CallersOf()
	}
	return n
}

// itemsOf is how many items of the cell one repeat measures.
func (p *Plan) itemsOf(c Cell) int {
	if c.NotApplicable != "" {
		return 0
	}
	return p.document().ItemsOf(p.byName[c.Scenario])
}

// Total is how many operations the plan starts, warm-ups included.
func (p *Plan) Total() int {
	n := 0
	for _, it := range p.Items {
		n += it.Callers
	}
	return n
}

// Ops lists the ids of the item's operations: its callers'.
func (it Item) Ops() []string {
	if it.Callers == 1 {
		return []string{it.Op}
	}
	ops := make([]string, it.Callers)
	for i := range ops {
		ops[i] = callerID(it.Op, i+1)
	}
	return ops
}

// callerID is retry_storm-r1-B-m0001c03.
func callerID(group string, caller int) string { return fmt.Sprintf("%sc%02d", group, caller) }

func (p *Plan) addCells(vs []variants.Variant, andListed bool) error {
	var problems problemList
	for _, s := range p.Scenarios {
		for _, v := range takingPart(s, vs, andListed) {
			p.takes(v)
			p.Cells = append(p.Cells, cellOf(s, v, &problems))
			problems.add(tooLong(callerID(opID(s.Name, p.Repeats, v.Label, 'm', p.Operations), s.CallersOf())))
		}
	}
	return problems.err()
}

// takes notes a variant that takes part.
func (p *Plan) takes(v variants.Variant) {
	if _, known := p.variants[v.Name]; !known && v.External != nil {
		p.external = append(p.external, v)
	}
	p.variants[v.Name] = v
}

func cellOf(s *scenario.Scenario, v variants.Variant, problems *problemList) Cell {
	if v.External != nil {
		return externalCell(s, v)
	}
	c := predict.Compute(s, v)
	problems.add(predict.TieProblems(s, v, c.Ties)...)
	return Cell{Scenario: s.Name, Variant: v.Name, Label: v.Label, Computed: c.Path}
}

// takingPart lists the variants of one scenario, each once: by label, then the
// clients in processes of their own as they were named.
func takingPart(s *scenario.Scenario, asked []variants.Variant, andListed bool) []variants.Variant {
	wanted := map[string]bool{}
	for _, v := range asked {
		wanted[v.Name] = true
	}
	if asked == nil || andListed {
		for _, name := range s.Variants {
			v, _ := variants.Find(name)
			wanted[v.Name] = true
		}
	}
	var list []variants.Variant
	for _, v := range variants.All() {
		if wanted[v.Name] {
			list = append(list, v)
		}
	}
	for _, v := range asked {
		if v.External != nil {
			list = append(list, v)
		}
	}
	return list
}

// opID is slow_headers-r1-D-m0016: m measured, w warm-up, h helper, p probe, s start-up.
func opID(scenario string, repeat int, label string, kind byte, index int) string {
	return fmt.Sprintf("%s-r%d-%s-%c%04d", scenario, repeat, label, kind, index)
}

// Scenario finds a scenario of the plan by its name.
func (p *Plan) Scenario(name string) *scenario.Scenario { return p.byName[name] }

// Marshal is plan.yaml: the plan with every default of its scenarios.
func (p *Plan) Marshal() ([]byte, error) {
	doc := p.document()
	for _, c := range p.Cells {
		doc.Cells = append(doc.Cells, scenario.Cell{Scenario: c.Scenario, Variant: c.Variant, Label: c.Label, NotApplicable: c.NotApplicable})
	}
	for _, v := range p.external {
		doc.Clients = append(doc.Clients, documentOf(v))
	}
	return scenario.MarshalPlan(doc)
}

// document is plan.yaml without its cells and clients.
func (p *Plan) document() *scenario.Plan {
	return &scenario.Plan{Seed: p.Seed, Repeats: p.Repeats, Operations: p.Operations, Groups: p.Groups, Scenarios: p.Scenarios}
}
