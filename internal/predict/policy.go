package predict

import (
	"hash/fnv"
	"math/rand/v2"
	"time"

	"github.com/deadlinelab/deadlinelab/internal/clock"
	"github.com/deadlinelab/deadlinelab/internal/scenario"
	"github.com/deadlinelab/deadlinelab/internal/variants"
)

// Policy is the scenario's policy. draw gives the share, in [0, 1], of the
// jitter's range that is added to each pause; it is not called without jitter.
func Policy(s *scenario.Scenario, draw func() float64) variants.Policy {
	o := s.Operation
	return variants.Policy{
		Budget: clock.FromMs(o.BudgetMs), MaxAttempts: o.MaxAttempts, Backoff: pauses(o, draw),
		RetryableStatuses: o.RetryableStatuses, RetryableFailures: o.RetryableFailures,
		Limits: variants.Limits{Total: limit(s.Attempt.TotalMs), Connect: limit(s.Attempt.ConnectMs),
			SockConnect: limit(s.Attempt.SockConnectMs), SockRead: limit(s.Attempt.SockReadMs)},
	}
}

// pauses are those between the allowed attempts; without jitter the list stays
// as it is written, as its last entry repeats anyway.
func pauses(o scenario.Operation, draw func() float64) []time.Duration {
	n := len(o.BackoffMs)
	if o.Jitter != nil && n > 0 {
		n = max(n, o.MaxAttempts-1)
	}
	list := make([]time.Duration, n)
	for i := range list {
		pause := o.BackoffMs[min(i, len(o.BackoffMs)-1)]
		if j := o.Jitter; j != nil {
			pause += j.MinMs + draw()*(j.MaxMs-j.MinMs)
		}
		list[i] = clock.FromMs(pause)
	}
	return list
}

// Draws are the draws of one operation: they depend on the run's seed and
// the operation's id alone, not on the order in which operations run.
func Draws(seed int64, op string) func() float64 {
	h := fnv.New64a()
	h.Write([]byte(op))
	return rand.New(rand.NewPCG(uint64(seed), h.Sum64())).Float64
}

func limit(v *float64) time.Duration {
	if v == nil {
		return 0
	}
	return clock.FromMs(*v)
}
