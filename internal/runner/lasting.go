package runner

import (
	"slices"
	"time"

	"github.com/deadlinelab/deadlinelab/internal/eventlog"
	"github.com/deadlinelab/deadlinelab/internal/predict"
	"github.com/deadlinelab/deadlinelab/internal/variants"
)

// Lasting is how long a plan takes from its first start to its last end.
type Lasting struct {
	About time.Duration // when every client keeps to the waits of its placement
	Most  time.Duration // when each call of a client in a process of its own ends at the hard cap; About without such a client
}

// keeper is the variant that keeps its budget whatever comes. Nothing is known
// of how a client in a process of its own does: this one stands for it.
const keeper = "operation_deadline"

// Lasts reckons how long the plan takes with that many operations in flight.
// startups is what it takes to start clients that are a process per operation.
func (p *Plan) Lasts(parallel int, startups map[string]time.Duration) Lasting {
	waits := p.waits()
	about := func(it Item) time.Duration { return startups[it.Variant] + waits[inScenario{it.Scenario, it.Variant}] }
	most := func(it Item) time.Duration {
		if p.variants[it.Variant].External == nil || it.Phase == eventlog.Startup {
			return about(it)
		}
		return p.byName[it.Scenario].Cap()
	}
	return Lasting{About: p.lasts(parallel, about), Most: p.lasts(parallel, most)}
}

// inScenario is a variant or client in a scenario.
type inScenario struct{ scenario, variant string }

// waits are what the waits of one operation add up to.
func (p *Plan) waits() map[inScenario]time.Duration {
	waits := map[inScenario]time.Duration{}
	for _, c := range slices.Concat(p.Cells, p.startups) {
		waits[inScenario{c.Scenario, c.Variant}] = c.Computed.Duration
		if kept, ok := variants.Find(keeper); ok && p.variants[c.Variant].External != nil {
			waits[inScenario{c.Scenario, c.Variant}] = predict.Compute(p.byName[c.Scenario], kept).Path.Duration
		}
	}
	return waits
}

// lasts goes through the plan as startAll does.
func (p *Plan) lasts(parallel int, took func(Item) time.Duration) time.Duration {
	shares := sharesOf(p)
	f := flights{free: parallel, places: map[string]int{}}
	for _, h := range shares {
		f.places[h.of] = h.places
	}
	dated := pace{last: map[string]time.Time{}}
	for _, it := range p.Items {
		h := shares[it.Variant]
		one := flight{places: min(it.Callers, parallel), of: h.of, part: h.takes(p.byName[it.Scenario])}
		f.makeRoom(one)
		f.add(one, dated.wait(it, f.now)+took(it))
	}
	return f.last
}

// flight is one item under way.
type flight struct {
	end    time.Duration
	places int
	of     string // whose places it takes besides
	part   int    // of them
}

// flights are the items under way at one instant.
type flights struct {
	now, last time.Duration
	free      int
	places    map[string]int // free ones of the clients' shares
	underWay  []flight       // by their ends
}

// makeRoom waits until there is room for an item.
func (f *flights) makeRoom(one flight) {
	for len(f.underWay) > 0 && (f.free < one.places || f.places[one.of] < one.part) {
		f.land()
	}
}

// add starts an item now.
func (f *flights) add(one flight, took time.Duration) {
	one.end = f.now + took
	f.last = max(f.last, one.end)
	f.free -= one.places
	f.places[one.of] -= one.part
	at, _ := slices.BinarySearchFunc(f.underWay, one.end, func(x flight, end time.Duration) int { return int(x.end - end) })
	f.underWay = slices.Insert(f.underWay, at, one)
	f.now += startGap
}

// land takes the next item out that ends.
func (f *flights) land() {
	next := f.underWay[0]
	f.underWay = slices.Delete(f.underWay, 0, 1)
	f.now = max(f.now, next.end)
	f.free += next.places
	f.places[next.of] += next.part
}
