package variants

import "context"

func init() {
	Register(Variant{
		Name:      "header_timeout",
		Summary:   "only the wait for the response head is limited (ResponseHeaderTimeout): queues, pauses and the body are not",
		Placement: Placement{Deadline: "none", SlotPer: "operation", HeaderLimit: true},
		Listed:    true,
		Do:        headerTimeout,
		Tune:      limitHeaders,
	})
}

func headerTimeout(ctx context.Context, env *Env) (Response, error) {
	if err := env.Slots.Acquire(ctx); err != nil {
		return Response{}, err
	}
	defer env.Slots.Release()
	within := *env
	within.Policy.Limits = Limits{}
	return retry(ctx, &within, attempt)
}
