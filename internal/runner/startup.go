package runner

import (
	"slices"
	"time"

	"github.com/deadlinelab/deadlinelab/internal/eventlog"
	"github.com/deadlinelab/deadlinelab/internal/scenario"
	"github.com/deadlinelab/deadlinelab/internal/variants"
)

// A client that is a process per operation is started for each of them, which
// is not its time but that of the way in which it is called. What a start costs
// is measured in the same run: the same command under a healthy upstream.
const (
	fewestStartups = 12 // below that their spread is luck
	mostStartups   = 30 // above that they say no more
)

// addStartups adds the start-ups of every such client that is measured at all,
// and their scenario unless the plan has one of its name.
func (p *Plan) addStartups(healthy *scenario.Scenario) error {
	if healthy == nil {
		return nil
	}
	if own := p.byName[healthy.Name]; own != nil {
		healthy = own
	}
	for _, v := range p.external {
		c := externalCell(healthy, v)
		if v.External.Kind == eventlog.ExecClient && c.NotApplicable == "" && p.measures(v) {
			p.startups = append(p.startups, c)
		}
	}
	if len(p.startups) == 0 {
		return nil
	}
	if p.byName[healthy.Name] == nil {
		p.Scenarios = append(p.Scenarios, healthy)
		p.byName[healthy.Name] = healthy
	}
	return p.checkStartups(healthy)
}

func (p *Plan) checkStartups(healthy *scenario.Scenario) error {
	var problems problemList
	problems.add(checkArrangement(healthy)...)
	for _, c := range p.startups {
		problems.add(tooLong(opID(c.Scenario, p.Repeats, c.Label, 's', mostStartups)))
	}
	return problems.err()
}

// measures tells whether any cell of the variant is measured.
func (p *Plan) measures(v variants.Variant) bool {
	return slices.ContainsFunc(p.Cells, func(c Cell) bool { return c.Variant == v.Name && c.NotApplicable == "" })
}

// startupsOf is how many start-ups of a client a repeat has: together a third of
// what a series has, within bounds.
func (p *Plan) startupsOf(repeat int) int {
	n := min(mostStartups, max(fewestStartups, p.Repeats*p.Operations/3))
	return n*repeat/p.Repeats - n*(repeat-1)/p.Repeats
}

// startup is start-up index of the cell.
func (c Cell) startup(repeat, index int, jitter time.Duration) Item {
	it := c.item(repeat, index, jitter)
	it.Op, it.Phase = opID(c.Scenario, repeat, c.Label, 's', index), eventlog.Startup
	return it
}
