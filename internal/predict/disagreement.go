package predict

import (
	"fmt"
	"slices"
	"time"

	"github.com/deadlinelab/deadlinelab/internal/clock"
	"github.com/deadlinelab/deadlinelab/internal/scenario"
)

// disagreements are what the scenario expects of the variant and the waits do
// not give: one of the two is wrong, and a plan finds out without a run.
// Callers that queue behind one another are judged by the paths of all, or not
// at all where these are chance.
func (c Computation) disagreements() []string {
	want := c.Scenario.Expect[c.Variant.Name]
	var list []string
	if c.Scenario.CallersQueue() {
		return c.queueDisagreements(want)
	}
	differ := func(key string, expected, computed any) {
		list = append(list, fmt.Sprintf("%s is expected to be %v, the waits make it %v", key, expected, computed))
	}
	if o := want.Outcome; o != nil && !c.some(func(p Path) bool { return p.Outcome == *o }) {
		differ("outcome", *o, c.Outcome)
	}
	if d := want.DurationMs; d != nil && c.outside(*d) {
		differ("duration_ms", scenario.WindowText(*d), c.durationText())
	}
	if n := want.Attempts; n != nil && !c.some(func(p Path) bool { return n.Holds(p.Attempts) }) {
		differ("attempts", scenario.CountText(*n), c.Attempts)
	}
	if n := want.ServerRequests; n != nil && !c.some(func(p Path) bool { return n.Holds(p.Requests) }) {
		differ("server_requests", scenario.CountText(*n), c.Requests)
	}
	return list
}

// outside tells a duration that is never what is expected; a
// millisecond is what a plain number grants below it.
func (c Computation) outside(want scenario.Duration) bool {
	least, most := clock.FromMs(want.Ms)-time.Millisecond, clock.FromMs(want.Ms)+time.Millisecond
	if want.IsWindow() {
		least, most = 0, never
	}
	if want.MinMs != nil {
		least = clock.FromMs(*want.MinMs)
	}
	if want.MaxMs != nil {
		most = clock.FromMs(*want.MaxMs)
	}
	shortest, longest := spanOf(c.Paths)
	return longest < least || shortest > most
}

func (c Computation) some(holds func(Path) bool) bool { return slices.ContainsFunc(c.Paths, holds) }
