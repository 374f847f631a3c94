package variants

import (
	"context"
	"net/http"
)

func init() {
	Register(Variant{
		Name:      "early_cancel",
		Summary:   "a helper cancels its context as it returns the response: the body cannot be read any more",
		Placement: Placement{Deadline: "t0", SlotPer: "operation", EarlyCancel: true},
		Listed:    true,
		Do:        earlyCancel,
	})
}

func earlyCancel(ctx context.Context, env *Env) (Response, error) {
	if err := env.Slots.Acquire(ctx); err != nil {
		return Response{}, err
	}
	defer env.Slots.Release()
	return retry(ctx, env, func(ctx context.Context, env *Env) (Response, error) {
		resp, err := getWithDeadline(ctx, env)
		if err != nil {
			return Response{}, err
		}
		return receive(ctx, env, resp)
	})
}

// getWithDeadline returns a response whose context ends with this function.
func getWithDeadline(ctx context.Context, env *Env) (*http.Response, error) {
	ctx, cancel := context.WithDeadlineCause(ctx, env.Start.Add(env.Policy.Budget), ErrOperationDeadline)
	defer cancel()
	within := *env
	within.Policy.Limits = Limits{}
	return send(ctx, &within, &http.Client{Transport: env.Transport})
}
