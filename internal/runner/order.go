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
// inside each the cells are interleaved in a shuffle that follows the seed.
func (p *Plan) order(noWarmup bool) {
	rnd := rand.New(rand.NewPCG(uint64(p.Seed), 0x6f72646572))
	if !noWarmup {
		p.addShuffled(rnd, 1, func(Cell) []int { return []int{0} })
	}
	for repeat := 1; repeat <= p.Repeats; repeat++ {
		p.addShuffled(rnd, repeat, func(c Cell) []int { return countTo(p.itemsOf(c)) })
	}
}

func countTo(n int) []int {
	list := make([]int, n)
	for i := range list {
		list[i] = i + 1
	}
	return list
}

func (p *Plan) addShuffled(rnd *rand.Rand, repeat int, indices func(Cell) []int) {
	type placed struct {
		item Item
		at   float64
	}
	var items []placed
	for _, c := range p.Cells {
		for _, index := range indices(c) {
			at := rnd.Float64()
			if c.Computed.Duration > longOperation {
				at /= 2
			}
			it := c.item(repeat, index, time.Duration(rnd.Int64N(int64(time.Millisecond))))
			it.Callers = p.byName[c.Scenario].CallersOf()
			items = append(items, placed{it, at})
		}
	}
	slices.SortStableFunc(items, func(a, b placed) int { return cmp.Compare(a.at, b.at) })
	for _, it := range items {
		p.Items = append(p.Items, it.item)
	}
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
