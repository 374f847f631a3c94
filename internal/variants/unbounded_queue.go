package variants

import "context"

func init() {
	Register(Variant{
		Name:      "unbounded_queue",
		Summary:   "a deadline at t0, but the wait for the slot does not listen to it",
		Placement: Placement{Deadline: "t0", SlotPer: "operation", AttemptLimit: true, Queue: "unbound"},
		Listed:    true,
		Do:        unboundedQueue,
	})
}

func unboundedQueue(ctx context.Context, env *Env) (Response, error) {
	ctx, cancel := context.WithDeadlineCause(ctx, env.Start.Add(env.Policy.Budget), ErrOperationDeadline)
	defer cancel()
	if err := env.Slots.Acquire(context.WithoutCancel(ctx)); err != nil {
		return Response{}, err
	}
	defer env.Slots.Release()
	return retry(ctx, env, attempt)
}
