package variants

import (
	"context"
	"net/http"
)

func init() {
	Register(Variant{
		Name:      "client_timeout",
		Summary:   "http.Client.Timeout is the budget: it covers the body and redirects, and starts anew with every attempt",
		Placement: Placement{Deadline: "none", SlotPer: "operation", Total: "budget"},
		Listed:    true,
		Do:        clientTimeout,
	})
}

func clientTimeout(ctx context.Context, env *Env) (Response, error) {
	if err := env.Slots.Acquire(ctx); err != nil {
		return Response{}, err
	}
	defer env.Slots.Release()
	client := &http.Client{Transport: env.Transport, Timeout: env.Policy.Budget}
	within := *env
	within.Policy.Limits = Limits{Client: client.Timeout}
	return retry(ctx, &within, func(ctx context.Context, env *Env) (Response, error) {
		resp, err := send(ctx, env, client)
		if err != nil {
			return Response{}, err
		}
		return receive(ctx, env, resp)
	})
}
