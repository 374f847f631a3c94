package variants

import (
	"context"
	"time"
)

func init() {
	Register(Variant{
		Name:      "careless_retry",
		Summary:   "a deadline at t0, but whatever failed is sent again, a POST without a key too",
		Placement: Placement{Deadline: "t0", SlotPer: "operation", AttemptLimit: true, RetryAny: true, Unkeyed: true},
		Listed:    true,
		Do:        carelessRetry,
	})
}

func carelessRetry(ctx context.Context, env *Env) (Response, error) {
	ctx, cancel := context.WithDeadlineCause(ctx, env.Start.Add(env.Policy.Budget), ErrOperationDeadline)
	defer cancel()
	if err := env.Slots.Acquire(ctx); err != nil {
		return Response{}, err
	}
	defer env.Slots.Release()
	unkeyed := *env
	unkeyed.IdempotencyKey = ""
	return loop(ctx, &unkeyed, attempt, func(n int, failed error) (time.Duration, error) {
		if err := overdue(ctx); err != nil {
			return 0, err
		}
		if n >= env.Policy.MaxAttempts {
			return 0, exhausted(env.Policy, failed)
		}
		return env.Policy.pauseAfter(n), nil
	})
}
