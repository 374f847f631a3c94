package variants

import "context"

func init() {
	Register(Variant{
		Name:      "no_timeout",
		Label:     "G",
		Summary:   "one attempt without any limit: it waits as long as the upstream likes",
		Placement: Placement{Deadline: "none", SlotPer: "operation", MaxAttempts: 1},
		Do:        noTimeout,
	})
}

func noTimeout(ctx context.Context, env *Env) (Response, error) {
	if err := env.Slots.Acquire(ctx); err != nil {
		return Response{}, err
	}
	defer env.Slots.Release()
	unlimited := *env
	unlimited.Policy.Limits = Limits{}
	return attempt(ctx, &unlimited)
}
