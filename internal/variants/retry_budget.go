package variants

import (
	"context"
	"time"
)

func init() {
	Register(Variant{
		Name:      "retry_budget",
		Summary:   "the client of operation_deadline, but all callers together may repeat only a tenth of what they call",
		Placement: Placement{Deadline: "t0", SlotPer: "operation", AttemptLimit: true, RetryPercent: retryPercent},
		Listed:    true,
		Do:        retryBudget,
	})
}

// retryPercent is how many retries there may be for a hundred calls.
const retryPercent = 10

func retryBudget(ctx context.Context, env *Env) (Response, error) {
	ctx, cancel := context.WithDeadlineCause(ctx, env.Start.Add(env.Policy.Budget), ErrOperationDeadline)
	defer cancel()
	if err := env.Slots.Acquire(ctx); err != nil {
		return Response{}, err
	}
	defer env.Slots.Release()
	env.RetryBudget.Call()
	return loop(ctx, env, attempt, func(n int, failed error) (time.Duration, error) {
		pause, stop := env.Policy.next(n, failed)
		if stop == nil && !env.RetryBudget.Retry(retryPercent) {
			stop = exhausted(env.Policy, failed)
		}
		return pause, stop
	})
}
