package variants

import (
	"context"
	"time"
)

func init() {
	Register(Variant{
		Name:      "naive_sleep",
		Summary:   "a deadline at t0, but the pauses are time.Sleep: it is looked at only when the sleep is over",
		Placement: Placement{Deadline: "t0", SlotPer: "operation", AttemptLimit: true, UnboundPause: true},
		Listed:    true,
		Do:        naiveSleep,
	})
}

func naiveSleep(ctx context.Context, env *Env) (Response, error) {
	ctx, cancel := context.WithDeadlineCause(ctx, env.Start.Add(env.Policy.Budget), ErrOperationDeadline)
	defer cancel()
	if err := env.Slots.Acquire(ctx); err != nil {
		return Response{}, err
	}
	defer env.Slots.Release()
	asleep := *env
	asleep.Pause = func(ctx context.Context, d time.Duration) error {
		return env.Pause(context.WithoutCancel(ctx), d) // time.Sleep(d), as the timeline sees it
	}
	return retry(ctx, &asleep, attempt)
}
