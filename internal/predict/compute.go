// Package predict computes what a variant does in a scenario without running
// it: the waits on its path, their sum, how it ends, and its worst case. A plan
// prints it, and refuses what would be decided by chance.
package predict

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"time"

	"github.com/deadlinelab/deadlinelab/internal/clock"
	"github.com/deadlinelab/deadlinelab/internal/eventlog"
	"github.com/deadlinelab/deadlinelab/internal/fault"
	"github.com/deadlinelab/deadlinelab/internal/scenario"
	"github.com/deadlinelab/deadlinelab/internal/variants"
)

// Path is what the waits of one operation add up to, work not counted.
type Path struct {
	Outcome  eventlog.Outcome
	Last     eventlog.Outcome
	Duration time.Duration
	Attempts int
	Requests int
	Steps    []Step
}

// Step is one wait on a path.
type Step struct {
	What  string        // "slot", "connection", "attempt 2", "pause"
	Took  time.Duration //
	Ended string        // what cut it short; empty when it ended by itself
}

// Computation is the arithmetic of one variant in one scenario.
type Computation struct {
	Scenario *scenario.Scenario
	Variant  variants.Variant
	Path
	Longest Path   // the longest of Paths
	Paths   []Path // that it may take, by jitter and by where in its second a date falls; Path is the first one
	Callers []Path // of every caller of one client without jitter, Path being the first one's; nil where their order is chance
	Worst   Worst
	Ties    []Tie
	Chance  string // why its path may be another one; empty where it cannot

	NotComputed string // why there is no arithmetic; its path is then as long as the budget. Empty = there is
}

// ofItsOwn is why an external client has no arithmetic.
const ofItsOwn = "not computed: a client in a process of its own"

// never is an instant that does not come.
const never = time.Duration(math.MaxInt64)

// Compute walks the variant's placement of boundaries through the scenario. That
// of an external client is not known.
func Compute(s *scenario.Scenario, v variants.Variant) Computation {
	if v.External != nil {
		return Computation{Scenario: s, Variant: v, Path: UnknownPath(s), Longest: UnknownPath(s), Paths: []Path{UnknownPath(s)}, NotComputed: ofItsOwn}
	}
	c := Computation{Scenario: s, Variant: v}
	walks := walksThrough(s, v)
	for _, w := range walks {
		c.Paths, c.Ties, c.Chance = append(c.Paths, w.path), append(c.Ties, w.ties...), cmp.Or(c.Chance, w.chance)
	}
	c.Path, c.Longest = c.Paths[0], slices.MaxFunc(c.Paths, func(a, b Path) int { return cmp.Compare(a.Duration, b.Duration) })
	c.Callers = callersOf(s, v, 0)
	c.Worst = worstCase(s, v, walks[len(walks)-1].freeAt(0))
	return c
}

// walksThrough are the ways through a scenario in which waits have a range: with
// the shortest and the longest waits, and on both sides of a share of the range
// at which the operation ends in another way.
func walksThrough(s *scenario.Scenario, v variants.Variant) []*walk {
	least := walkThrough(s, v, 0)
	if s.Operation.Jitter == nil && !least.dated {
		return []*walk{least}
	}
	most := walkThrough(s, v, 1)
	below, above := least, most
	for from, to := 0.0, 1.0; to-from > 1e-9 && !least.path.endsAs(most.path); {
		share := (from + to) / 2
		if w := walkThrough(s, v, share); w.path.endsAs(least.path) {
			from, below = share, w
		} else {
			to, above = share, w
		}
	}
	return []*walk{least, below, above, most}
}

func (p Path) endsAs(o Path) bool {
	return p.Outcome == o.Outcome && p.Attempts == o.Attempts && p.Requests == o.Requests
}

// walkThrough computes one path with a fixed share of the jitter.
func walkThrough(s *scenario.Scenario, v variants.Variant, jitter float64) *walk {
	w := prepareWalk(s, v, jitter)
	w.operation()
	return w
}

// prepareWalk arranges around a path what the upstream wants.
func prepareWalk(s *scenario.Scenario, v variants.Variant, jitter float64) *walk {
	w := newWalk(s, v, jitter)
	a := s.Fault.Arrangement()
	w.cancelOn, w.cancelAfter, w.connectionAt = a.CancelOn, a.CancelAfter, a.HoldConnection
	if f, ok := s.Fault.(fault.ConnectionFault); ok {
		w.connect = f.Connect()
	}
	if s.Slots > 0 && a.HoldSlot > 0 {
		w.busy = []interval{{0, a.HoldSlot}}
	}
	if a.LeadUntil != "" && s.Slots == 1 {
		w.busy = leadHolds(s, v, jitter, a.LeadUntil)
	}
	return w
}

// leadHolds is when the operation that goes first holds the slot, counted from
// the t0 of the one that follows it.
func leadHolds(s *scenario.Scenario, v variants.Variant, jitter float64, until eventlog.Kind) []interval {
	lead := newWalk(s, v, jitter)
	lead.phase = eventlog.Helper
	lead.operation()
	t0, ok := lead.seen[until]
	if !ok {
		t0 = lead.now
	}
	var busy []interval
	for _, h := range lead.held {
		if h.to > t0 {
			busy = append(busy, interval{h.from - t0, h.to - t0})
		}
	}
	return busy
}

func (s Step) String() string {
	if s.Ended == "" {
		return fmt.Sprintf("%s %s", s.What, clock.MsText(s.Took))
	}
	return fmt.Sprintf("%s %s (%s)", s.What, clock.MsText(s.Took), s.Ended)
}

// UnknownPath is that of an external client: as long as its budget.
func UnknownPath(s *scenario.Scenario) Path {
	return Path{Duration: clock.FromMs(s.Operation.BudgetMs)}
}
