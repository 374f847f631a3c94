package variants

import "context"

func init() {
	Register(Variant{
		Name:      "operation_deadline",
		Label:     "D",
		Summary:   "one deadline taken at t0: it covers the slot, every attempt and every pause",
		Placement: Placement{Deadline: "t0", SlotPer: "operation", AttemptLimit: true},
		Do:        operationDeadline,
	})
}

func operationDeadline(ctx context.Context, env *Env) (Response, error) {
	ctx, cancel := context.WithDeadlineCause(ctx, env.Start.Add(env.Policy.Budget), ErrOperationDeadline)
	defer cancel()
	if err := env.Slots.Acquire(ctx); err != nil {
		return Response{}, err
	}
	defer env.Slots.Release()
	return retry(ctx, env, attempt)
}
