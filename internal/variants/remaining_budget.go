package variants

import (
	"context"
	"errors"
	"time"

	"github.com/deadlinelab/deadlinelab/internal/eventlog"
)

func init() {
	Register(Variant{
		Name:      "remaining_budget",
		Label:     "F",
		Summary:   "each attempt may be silent for what is left of the budget; nothing cancels the operation from outside",
		Placement: Placement{Deadline: "remaining", SlotPer: "operation", AttemptLimit: true},
		Do:        remainingBudget,
	})
}

func remainingBudget(ctx context.Context, env *Env) (Response, error) {
	if err := env.Slots.Acquire(ctx); err != nil {
		return Response{}, err
	}
	defer env.Slots.Release()
	deadline := env.Start.Add(env.Policy.Budget)
	cut := *env
	cut.Pause = func(ctx context.Context, d time.Duration) error {
		return env.Pause(ctx, min(d, time.Until(deadline)))
	}
	return retry(ctx, &cut, func(ctx context.Context, env *Env) (Response, error) {
		left := time.Until(deadline)
		if left <= 0 {
			return Response{}, &Error{Outcome: eventlog.DeadlineExceeded, Err: errors.New("nothing is left of the budget")}
		}
		within := *env
		within.Policy.Limits = Limits{
			SockConnect: atMost(left, env.Policy.Limits.SockConnect),
			SockRead:    atMost(left, env.Policy.Limits.Total),
		}
		return attempt(ctx, &within)
	})
}

// atMost is what is left, cut to the limit if there is one.
func atMost(left, limit time.Duration) time.Duration {
	if limit == 0 {
		return left
	}
	return min(left, limit)
}
