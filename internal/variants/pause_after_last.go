package variants

import "context"

func init() {
	Register(Variant{
		Name:      "pause_after_last",
		Summary:   "the client of operation_deadline, but each pass of its loop ends with a pause, the last one too",
		Placement: Placement{Deadline: "t0", SlotPer: "operation", AttemptLimit: true, PauseAfterLast: true},
		Listed:    true,
		Do:        pauseAfterLast,
	})
}

func pauseAfterLast(ctx context.Context, env *Env) (Response, error) {
	ctx, cancel := context.WithDeadlineCause(ctx, env.Start.Add(env.Policy.Budget), ErrOperationDeadline)
	defer cancel()
	if err := env.Slots.Acquire(ctx); err != nil {
		return Response{}, err
	}
	defer env.Slots.Release()
	for n := 1; ; n++ {
		if err := overdue(ctx); err != nil {
			return Response{}, err
		}
		resp, err := attempt(ctx, env)
		if err == nil {
			return resp, overdue(ctx)
		}
		if !env.Policy.Retryable(err) {
			return resp, err
		}
		if err := env.Pause(ctx, env.Policy.pauseAfter(n)); err != nil {
			return Response{}, err
		}
		if n >= env.Policy.MaxAttempts {
			return resp, exhausted(env.Policy, err)
		}
	}
}
