package variants

import (
	"context"
	"net/http"
)

func init() {
	Register(Variant{
		Name:      "early_cancel",
		Summary:   "the client of operation_deadline, but a helper cancels as it returns the response: the body cannot be read any more",
		Placement: Placement{Deadline: "t0", SlotPer: "operation", AttemptLimit: true, EarlyCancel: true},
		Listed:    true,
		Do:        earlyCancel,
	})
}

func earlyCancel(ctx context.Context, env *Env) (Response, error) {
	ctx, cancel := context.WithDeadlineCause(ctx, env.Start.Add(env.Policy.Budget), ErrOperationDeadline)
	defer cancel()
	if err := env.Slots.Acquire(ctx); err != nil {
		return Response{}, err
	}
	defer env.Slots.Release()
	return retry(ctx, env, func(ctx context.Context, env *Env) (Response, error) {
		resp, err := getInTime(ctx, env)
		if err != nil {
			return Response{}, err
		}
		return receive(ctx, env, resp)
	})
}

// getInTime returns a response whose context ends with this function.
func getInTime(ctx context.Context, env *Env) (*http.Response, error) {
	ctx, cancel := withTotal(ctx, env.Policy.Limits.Total)
	defer cancel()
	return send(ctx, env, &http.Client{Transport: env.Transport})
}
