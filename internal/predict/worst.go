package predict

import (
	"fmt"
	"strings"
	"time"

	"github.com/deadlinelab/deadlinelab/internal/clock"
	"github.com/deadlinelab/deadlinelab/internal/scenario"
	"github.com/deadlinelab/deadlinelab/internal/variants"
)

// Worst is the longest a variant can keep its caller waiting under a policy,
// whatever the upstream does, with the queue of this scenario in front.
type Worst struct {
	Bounded bool
	Time    time.Duration // when Bounded
	Text    string        // "3 × 400 + 100 + 200 = 1500 ms: 500 ms over the budget of 1000 ms"
}

func worstCase(s *scenario.Scenario, v variants.Variant, queue time.Duration) Worst {
	p, place := Policy(s, func() float64 { return 1 }), v.Placement
	if why := unbounded(p, place); why != "" {
		return Worst{Text: "no bound: " + why}
	}
	switch place.Deadline {
	case "t0":
		return worstFromT0(p, place, queue)
	case "after_admission":
		return total(queue+p.Budget, p.Budget, sum(queue, []string{"deadline after the slot"}))
	case "between_attempts":
		return total(max(queue, p.Budget)+p.Limits.Total, p.Budget,
			fmt.Sprintf("%g when the last attempt begins + %g for it", clock.InMs(max(queue, p.Budget)), clock.InMs(p.Limits.Total)))
	}
	if place.Total == "budget" {
		p.Limits.Total = p.Budget
	}
	return attemptsTotal(p, place, queue)
}

// unbounded is why a placement has no worst case; empty where it has one.
func unbounded(p variants.Policy, place variants.Placement) string {
	attempts := place.AttemptLimit && p.Limits.Total > 0 || place.Total != ""
	switch {
	case place.UnboundAttempt:
		return "nothing limits how long a body is read"
	case place.Deadline == "remaining":
		return "each silence is bounded, a body that trickles and the queues are not"
	case place.HeaderLimit && place.Deadline == "none":
		return "the wait for a response head is bounded, a body and the queues are not"
	case (place.Deadline == "none" || place.Deadline == "between_attempts") && !attempts:
		return "nothing limits an attempt"
	}
	return ""
}

// worstFromT0 is the budget, and what does not listen to its deadline.
func worstFromT0(p variants.Policy, place variants.Placement, queue time.Duration) Worst {
	switch {
	case place.OwnBudgets:
		return total(time.Duration(place.Calls)*p.Budget, p.Budget, fmt.Sprintf("%d calls × %g", place.Calls, clock.InMs(p.Budget)))
	case place.Queue == "unbound" && queue > p.Budget:
		return total(queue, p.Budget, fmt.Sprintf("%g in a queue that does not hear the deadline", clock.InMs(queue)))
	case place.UnboundPause:
		return worstOfUnboundPauses(p, place)
	}
	return total(p.Budget, p.Budget, "deadline at t0")
}

// worstOfUnboundPauses begins the longest pause just before the deadline; a loop
// that goes on after it sleeps all of them.
func worstOfUnboundPauses(p variants.Policy, place variants.Placement) Worst {
	t, terms := p.Budget, []string{"deadline at t0"}
	longest := time.Duration(0)
	for n := 1; n < p.MaxAttempts && len(p.Backoff) > 0; n++ {
		pause := p.Backoff[min(n, len(p.Backoff))-1]
		if longest = max(longest, pause); place.UnboundLoop {
			t += pause
			terms = append(terms, fmt.Sprintf("%g", clock.InMs(pause)))
		}
	}
	if !place.UnboundLoop && longest > 0 {
		t += longest
		terms = append(terms, fmt.Sprintf("%g", clock.InMs(longest)))
	}
	return total(t, p.Budget, strings.Join(terms, " + "))
}

// attemptsTotal is attempts × attempt limit + pauses + queue.
func attemptsTotal(p variants.Policy, place variants.Placement, queue time.Duration) Worst {
	attempts := p.MaxAttempts
	if place.MaxAttempts > 0 {
		attempts = place.MaxAttempts
	}
	t := queue + time.Duration(attempts)*p.Limits.Total
	parts := []string{fmt.Sprintf("%d × %g", attempts, clock.InMs(p.Limits.Total))}
	for n := 1; n < attempts && len(p.Backoff) > 0; n++ {
		pause := p.Backoff[min(n, len(p.Backoff))-1]
		t += pause
		parts = append(parts, fmt.Sprintf("%g", clock.InMs(pause)))
	}
	return total(t, p.Budget, sum(queue, parts))
}

func sum(queue time.Duration, parts []string) string {
	if queue > 0 {
		parts = append([]string{fmt.Sprintf("%g in the queue", clock.InMs(queue))}, parts...)
	}
	return strings.Join(parts, " + ")
}

func total(t, budget time.Duration, terms string) Worst {
	text := fmt.Sprintf("%s = %s", terms, clock.MsText(t))
	if over := t - budget; over > 0 {
		text += fmt.Sprintf(": %s over the budget of %s", clock.MsText(over), clock.MsText(budget))
	} else {
		text += ": within the budget of " + clock.MsText(budget)
	}
	return Worst{Bounded: true, Time: t, Text: text}
}
