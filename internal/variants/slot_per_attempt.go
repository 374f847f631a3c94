package variants

import "context"

func init() {
	Register(Variant{
		Name:      "slot_per_attempt",
		Label:     "E",
		Summary:   "the deadline of D, but the slot is held for one attempt only and free during the pauses",
		Placement: Placement{Deadline: "t0", SlotPer: "attempt", AttemptLimit: true},
		Do:        slotPerAttempt,
	})
}

func slotPerAttempt(ctx context.Context, env *Env) (Response, error) {
	ctx, cancel := context.WithDeadlineCause(ctx, env.Start.Add(env.Policy.Budget), ErrOperationDeadline)
	defer cancel()
	return retry(ctx, env, func(ctx context.Context, env *Env) (Response, error) {
		if err := env.Slots.Acquire(ctx); err != nil {
			return Response{}, err
		}
		defer env.Slots.Release()
		return attempt(ctx, env)
	})
}
