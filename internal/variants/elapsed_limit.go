package variants

import (
	"context"
	"time"

	"github.com/deadlinelab/deadlinelab/internal/eventlog"
)

func init() {
	Register(Variant{
		Name:      "elapsed_limit",
		Summary:   "the elapsed time is compared with the budget between attempts only: the last attempt may overrun it",
		Placement: Placement{Deadline: "between_attempts", SlotPer: "operation", AttemptLimit: true},
		Listed:    true,
		Do:        elapsedLimit,
	})
}

func elapsedLimit(ctx context.Context, env *Env) (Response, error) {
	if err := env.Slots.Acquire(ctx); err != nil {
		return Response{}, err
	}
	defer env.Slots.Release()
	return loop(ctx, env, attempt, func(n int, failed error) (time.Duration, error) {
		pause, stop := env.Policy.next(n, failed)
		if stop == nil && time.Since(env.Start)+pause >= env.Policy.Budget {
			stop = &Error{Outcome: eventlog.DeadlineExceeded, Err: failed}
		}
		return pause, stop
	})
}
