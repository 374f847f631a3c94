package runner

import (
	"time"

	"github.com/deadlinelab/deadlinelab/internal/fault"
)

// A date in Retry-After has whole seconds: who obeys it waits for what is left of
// a second of the server's wall clock, and all who got the same date wake at one
// instant. Operations under such an answer therefore start at instants that lie
// evenly in the second, each cell's too, and no more than a few in one second.
const (
	datedGap   = 50 * time.Millisecond // at least, between the planned starts of one scenario
	soonestGap = datedGap / 2          // at least, between starts that did not come in their order
)

// spreadDates gives the measured items of each scenario that answers with a date
// their instants in the second, and their places the order in which these
// instants follow each other. repeat counts from 1.
func (o *orderer) spreadDates(repeat int) {
	for _, s := range o.plan.Scenarios {
		if !fault.AwaitsDate(s.Fault) {
			continue
		}
		var places []int
		for i, p := range o.items {
			if p.item.Scenario == s.Name && p.item.Index > 0 {
				places = append(places, i)
			}
		}
		o.spread(places, repeat)
	}
}

// spread lays a walk around the second through the places: instant g of n is
// (g + shift) / n of a second, and each repeat's lie between those of the others.
// The instants go to the cells in turn.
func (o *orderer) spread(places []int, repeat int) {
	var byCell [][]Item
	at := map[string]int{}
	for _, place := range places {
		it := o.items[place].item
		c, known := at[it.Variant]
		if !known {
			c = len(byCell)
			at[it.Variant], byCell = c, append(byCell, nil)
		}
		byCell[c] = append(byCell[c], it)
	}
	n, shift := len(places), (float64(repeat)-0.5)/float64(o.plan.Repeats)
	for i, place := range places {
		g := instantOf(i, n, len(byCell))
		it := byCell[(g+repeat)%len(byCell)][g/len(byCell)]
		it.InSecond = new(time.Duration((float64(g) + shift) / float64(n) * float64(time.Second)))
		o.items[place].item = it
	}
}

// instantOf is which of n instants of a second start i gets: at least datedGap
// after the one before it, another cell's, and in n starts every instant once.
func instantOf(i, n, cells int) int {
	stride := (n*int(datedGap) + int(time.Second) - 1) / int(time.Second)
	for divisor(stride, cells) > 1 {
		stride++
	}
	round := n / divisor(stride, n) // starts until the walk is where it was: it goes on beside it
	return (i*stride + i/round) % n
}

// divisor is the greatest that a and b have in common.
func divisor(a, b int) int {
	for b > 0 {
		a, b = b, a%b
	}
	return a
}

// nextInSecond is the first instant from t on that lies so far into a second of
// the wall clock.
func nextInSecond(t time.Time, into time.Duration) time.Time {
	now := time.Duration(t.Nanosecond())
	return t.Add((into - now + time.Second) % time.Second)
}
