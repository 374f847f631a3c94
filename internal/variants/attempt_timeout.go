package variants

import "context"

func init() {
	Register(Variant{
		Name:      "attempt_timeout",
		Label:     "B",
		Summary:   "every attempt has its timeout, nothing adds the attempts and pauses up",
		Placement: Placement{Deadline: "none", SlotPer: "operation", AttemptLimit: true},
		Do:        attemptTimeout,
	})
}

func attemptTimeout(ctx context.Context, env *Env) (Response, error) {
	if err := env.Slots.Acquire(ctx); err != nil {
		return Response{}, err
	}
	defer env.Slots.Release()
	return retry(ctx, env, attempt)
}
