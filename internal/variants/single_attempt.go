package variants

import "context"

func init() {
	Register(Variant{
		Name:      "single_attempt",
		Label:     "A",
		Summary:   "one attempt with its limits, no deadline: whatever comes before the attempt is not counted",
		Placement: Placement{Deadline: "none", SlotPer: "operation", MaxAttempts: 1, AttemptLimit: true},
		Do:        singleAttempt,
	})
}

func singleAttempt(ctx context.Context, env *Env) (Response, error) {
	if err := env.Slots.Acquire(ctx); err != nil {
		return Response{}, err
	}
	defer env.Slots.Release()
	return attempt(ctx, env)
}
