package runner

import (
	"cmp"
	"math/rand/v2"
	"slices"
	"time"

	"github.com/deadlinelab/deadlinelab/internal/eventlog"
)

// longOperation is a computed duration from which on an operation starts in
// the first half of its repeat, so that the run does not end with a tail.
const longOperation = 2 * time.Second

// order fills Items: the warm-ups, then repeat after repeat without a barrier;
// inside each the cells and the start-ups are interleaved in a shuffle that
// follows the seed.
func (p *Plan) order(noWarmup bool) {
	o := orderer{rnd: rand.New(rand.NewPCG(uint64(p.Seed), 0x6f72646572)), plan: p}
	if !noWarmup {
		for _, c := range p.Cells {
			o.place(c, 1, []int{0}, Cell.item)
		}
		o.close(0)
	}
	for repeat := 1; repeat <= p.Repeats; repeat++ {
		for _, c := range p.Cells {
			o.place(c, repeat, countTo(p.itemsOf(c)), Cell.item)
		}
		for _, c := range p.startups {
			o.place(c, repeat, countTo(p.startupsOf(repeat)), Cell.startup)
		}
		o.close(repeat)
	}
}

func countTo(n int) []int {
	list := make([]int, n)
	for i := range list {
		list[i] = i + 1
	}
	return list
}

// orderer shuffles the items of one repeat after the other.
type orderer struct {
	rnd   *rand.Rand
	plan  *Plan
	items []placedItem
}

type placedItem struct {
	item Item
	at   float64
}

// place gives the items of one cell their places in the repeat.
func (o *orderer) place(c Cell, repeat int, indices []int, item func(c Cell, repeat, index int, jitter time.Duration) Item) {
	if c.NotApplicable != "" {
		return
	}
	for _, index := range indices {
		at := o.rnd.Float64()
		if c.Computed.Duration > longOperation {
			at /= 2
		}
		it := item(c, repeat, index, time.Duration(o.rnd.Int64N(int64(time.Millisecond))))
		it.Callers = o.plan.byName[c.Scenario].CallersOf()
		o.items = append(o.items, placedItem{it, at})
	}
}

// close ends a repeat, or with 0 the warm-ups: its items are in the plan, in
// their order.
func (o *orderer) close(repeat int) {
	slices.SortStableFunc(o.items, func(a, b placedItem) int { return cmp.Compare(a.at, b.at) })
	o.spreadDates(repeat)
	for _, p := range o.items {
		o.plan.Items = append(o.plan.Items, p.item)
	}
	o.items = nil
}

// item is operation index of the cell; index 0 is the warm-up.
func (c Cell) item(repeat, index int, jitter time.Duration) Item {
	kind, phase := byte('m'), eventlog.Measured
	if index == 0 {
		kind, phase = 'w', eventlog.Warmup
	}
	return Item{
		Op: opID(c.Scenario, repeat, c.Label, kind, index), Scenario: c.Scenario, Variant: c.Variant, Label: c.Label,
		Repeat: repeat, Index: index, Phase: phase, Jitter: jitter,
		Helper: opID(c.Scenario, repeat, c.Label, 'h', index), Probe: opID(c.Scenario, repeat, c.Label, 'p', index),
	}
}
