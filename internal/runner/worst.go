package runner

import (
	"fmt"
	"strings"
	"time"

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
	p := policyOf(s, func() float64 { return 1 })
	switch v.Placement.Deadline {
	case "t0":
		return total(p.Budget, p.Budget, "deadline at t0")
	case "after_admission":
		return total(queue+p.Budget, p.Budget, sum(queue, []string{"deadline after the slot"}))
	case "remaining":
		return Worst{Text: "no bound: each silence is bounded, a body that trickles and the queues are not"}
	}
	if !v.Placement.AttemptLimit || p.Limits.Total == 0 {
		return Worst{Text: "no bound: nothing limits an attempt"}
	}
	return attemptsTotal(p, v.Placement, queue)
}

// attemptsTotal is attempts × attempt limit + pauses + queue.
func attemptsTotal(p variants.Policy, place variants.Placement, queue time.Duration) Worst {
	attempts := p.MaxAttempts
	if place.MaxAttempts > 0 {
		attempts = place.MaxAttempts
	}
	t := queue + time.Duration(attempts)*p.Limits.Total
	parts := []string{fmt.Sprintf("%d × %g", attempts, inMs(p.Limits.Total))}
	for n := 1; n < attempts && len(p.Backoff) > 0; n++ {
		pause := p.Backoff[min(n, len(p.Backoff))-1]
		t += pause
		parts = append(parts, fmt.Sprintf("%g", inMs(pause)))
	}
	return total(t, p.Budget, sum(queue, parts))
}

func sum(queue time.Duration, parts []string) string {
	if queue > 0 {
		parts = append([]string{fmt.Sprintf("%g in the queue", inMs(queue))}, parts...)
	}
	return strings.Join(parts, " + ")
}

func total(t, budget time.Duration, terms string) Worst {
	text := fmt.Sprintf("%s = %s", terms, msText(t))
	if over := t - budget; over > 0 {
		text += fmt.Sprintf(": %s over the budget of %s", msText(over), msText(budget))
	} else {
		text += ": within the budget of " + msText(budget)
	}
	return Worst{Bounded: true, Time: t, Text: text}
}
