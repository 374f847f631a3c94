package predict

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/deadlinelab/deadlinelab/internal/clock"
	"github.com/deadlinelab/deadlinelab/internal/eventlog"
	"github.com/deadlinelab/deadlinelab/internal/scenario"
	"github.com/deadlinelab/deadlinelab/internal/variants"
)

// callersOf computes the path of every caller of one client, each from its own
// t0, in the order in which they ask. It is nil where that order is chance: in
// the queue of a pool, and for slots that callers ask for again while others
// wait.
func callersOf(s *scenario.Scenario, v variants.Variant, jitter float64) []Path {
	if s.Callers == nil || !computable(s, v) {
		return nil
	}
	gap := clock.FromMs(s.Callers.StartGapMs)
	paths := make([]Path, s.Callers.Count)
	var held []interval // by the callers before, from the first one's t0
	for i := range paths {
		t0 := time.Duration(i) * gap
		w := prepareWalk(s, v, jitter)
		w.busy = append(shifted(w.busy, -t0), shifted(held, -t0)...)
		w.operation()
		if s.Shares(scenario.ShareSlots) {
			held = append(held, shifted(w.held, t0)...)
		}
		paths[i] = w.path
	}
	return paths
}

// computable tells whether the callers' waits for one another follow from the
// file: first come, first served, and each comes once.
func computable(s *scenario.Scenario, v variants.Variant) bool {
	if s.Connections() > 0 && s.Connections() < s.Callers.Count && s.Shares(scenario.ShareTransport) {
		// Who has a slot has a connection, too, where there are enough for all slots.
		return s.Shares(scenario.ShareSlots) && s.Slots <= s.Connections() && asksOnce(s, v)
	}
	return !s.Shares(scenario.ShareSlots) || s.Slots >= s.Callers.Count || asksOnce(s, v)
}

func asksOnce(s *scenario.Scenario, v variants.Variant) bool {
	attempts := s.Operation.MaxAttempts
	if v.Placement.MaxAttempts > 0 {
		attempts = v.Placement.MaxAttempts
	}
	return v.Placement.Calls <= 1 && (v.Placement.SlotPer == "operation" || attempts == 1)
}

func shifted(list []interval, by time.Duration) []interval {
	all := make([]interval, len(list))
	for i, one := range list {
		all[i] = interval{one.from + by, one.to + by}
	}
	return all
}

// callersText says how the callers of one client fare together.
func (c Computation) callersText() string {
	callers := c.Scenario.Callers
	text := fmt.Sprintf("%d on one client", callers.Count)
	if len(callers.Share) > 0 {
		text += ", sharing " + strings.Join(callers.Share, " and ")
	}
	text += fmt.Sprintf(", %s apart: ", clock.MsText(clock.FromMs(callers.StartGapMs)))
	if c.Callers == nil {
		return text + "who comes first is a race; the path is that of the first"
	}
	least, most := spanOf(c.Callers)
	if least == most {
		return text + clock.MsText(least) + " each, " + outcomesText(c.Callers)
	}
	return text + fmt.Sprintf("%g … %s, %s", clock.InMs(least), clock.MsText(most), outcomesText(c.Callers))
}

func spanOf(paths []Path) (least, most time.Duration) {
	durations := durationsOf(paths)
	return durations[0], durations[len(durations)-1]
}

func durationsOf(paths []Path) []time.Duration {
	list := make([]time.Duration, len(paths))
	for i, p := range paths {
		list[i] = p.Duration
	}
	slices.Sort(list)
	return list
}

// medianOf is the mean of the two in the middle.
func medianOf(paths []Path) time.Duration {
	list := durationsOf(paths)
	return (list[(len(list)-1)/2] + list[len(list)/2]) / 2
}

func outcomesText(paths []Path) string {
	count := map[eventlog.Outcome]int{}
	for _, p := range paths {
		count[p.Outcome]++
	}
	var parts []string
	for _, o := range eventlog.Outcomes {
		if count[o] > 0 {
			parts = append(parts, fmt.Sprintf("%s %d", o, count[o]))
		}
	}
	return strings.Join(parts, ", ")
}

// queueDisagreements holds the paths of callers that queue against what the
// scenario expects of all of them: the duration is their median.
func (c Computation) queueDisagreements(want scenario.Expect) []string {
	if c.Callers == nil {
		return nil
	}
	var list []string
	for i, p := range c.Callers {
		who := fmt.Sprintf("caller %d: ", i+1)
		if o := want.Outcome; o != nil && *o != p.Outcome {
			list = append(list, fmt.Sprintf("%soutcome is expected to be %s, the waits make it %s", who, *o, p.Outcome))
		}
		if n := want.Attempts; n != nil && !n.Holds(p.Attempts) {
			list = append(list, fmt.Sprintf("%sattempts is expected to be %s, the waits make it %d", who, scenario.CountText(*n), p.Attempts))
		}
		if n := want.ServerRequests; n != nil && !n.Holds(p.Requests) {
			list = append(list, fmt.Sprintf("%sserver_requests is expected to be %s, the waits make it %d", who, scenario.CountText(*n), p.Requests))
		}
	}
	median := Path{Duration: medianOf(c.Callers)}
	if d := want.DurationMs; d != nil && (Computation{Paths: []Path{median}}).outside(*d) {
		list = append(list, fmt.Sprintf("duration_ms is expected to be %s, the waits make their median %s", scenario.WindowText(*d), clock.MsText(median.Duration)))
	}
	return list
}
