package variants

import (
	"context"
)

func init() {
	Register(Variant{
		Name:      "swallowed_cancel",
		Summary:   "a deadline at t0, but the loop takes a cancel or the deadline for one more failure and goes on",
		Placement: Placement{Deadline: "t0", SlotPer: "operation", AttemptLimit: true, UnboundPause: true, UnboundLoop: true},
		Listed:    true,
		Do:        swallowedCancel,
	})
}

func swallowedCancel(ctx context.Context, env *Env) (Response, error) {
	ctx, cancel := context.WithDeadlineCause(ctx, env.Start.Add(env.Policy.Budget), ErrOperationDeadline)
	defer cancel()
	if err := env.Slots.Acquire(ctx); err != nil {
		return Response{}, err
	}
	defer env.Slots.Release()
	for n := 1; ; n++ {
		resp, err := attempt(ctx, env)
		if err == nil {
			return resp, nil
		}
		if n >= env.Policy.MaxAttempts {
			return resp, exhausted(env.Policy, err)
		}
		if err := env.Pause(context.WithoutCancel(ctx), env.Policy.pauseAfter(n)); err != nil {
			return Response{}, err
		}
	}
}
