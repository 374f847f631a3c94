package runner

import (
	"fmt"
	"slices"
	"time"

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
		differ("duration_ms", windowText(*d), c.durationText())
	}
	if n := want.Attempts; n != nil && !c.some(func(p Path) bool { return n.Holds(p.Attempts) }) {
		differ("attempts", countText(*n), c.Attempts)
	}
	if n := want.ServerRequests; n != nil && !c.some(func(p Path) bool { return n.Holds(p.Requests) }) {
		differ("server_requests", countText(*n), c.Requests)
	}
	return list
}

// outside tells a duration that is never what is expected; a
// millisecond is what a plain number grants below it.
func (c Computation) outside(want scenario.Duration) bool {
	least, most := ms(want.Ms)-time.Millisecond, ms(want.Ms)+time.Millisecond
	if want.IsWindow() {
		least, most = 0, never
	}
	if want.MinMs != nil {
		least = ms(*want.MinMs)
	}
	if want.MaxMs != nil {
		most = ms(*want.MaxMs)
	}
	shortest, longest := spanOf(c.Paths)
	return longest < least || shortest > most
}

func (c Computation) some(holds func(Path) bool) bool { return slices.ContainsFunc(c.Paths, holds) }

func windowText(d scenario.Duration) string {
	switch {
	case !d.IsWindow():
		return fmt.Sprintf("%g ms", d.Ms)
	case d.MinMs == nil:
		return fmt.Sprintf("at most %g ms", *d.MaxMs)
	case d.MaxMs == nil:
		return fmt.Sprintf("at least %g ms", *d.MinMs)
	}
	return fmt.Sprintf("%g … %g ms", *d.MinMs, *d.MaxMs)
}

func countText(n scenario.Count) string {
	switch {
	case n.Min == nil && n.Max == nil:
		return fmt.Sprint(n.N)
	case n.Min == nil:
		return fmt.Sprintf("at most %d", *n.Max)
	case n.Max == nil:
		return fmt.Sprintf("at least %d", *n.Min)
	}
	return fmt.Sprintf("%d … %d", *n.Min, *n.Max)
}
