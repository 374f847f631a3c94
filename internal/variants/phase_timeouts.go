package variants

import (
	"context"
	"net/http"
)

func init() {
	Register(Variant{
		Name:      "phase_timeouts",
		Summary:   "dial, response head, 100-continue and idle connections each have their limit, and nothing adds them up",
		Placement: Placement{Deadline: "none", SlotPer: "operation", HeaderLimit: true, DialLimit: true, AsksFirst: true},
		Listed:    true,
		Do:        phaseTimeouts,
		Tune: func(t *http.Transport, p Policy) {
			limitHeaders(t, p)
			t.ExpectContinueTimeout = HeaderLimit(p)
			t.IdleConnTimeout = keepIdle
		},
	})
}

func phaseTimeouts(ctx context.Context, env *Env) (Response, error) {
	if err := env.Slots.Acquire(ctx); err != nil {
		return Response{}, err
	}
	defer env.Slots.Release()
	within := *env
	within.ExpectContinue = true
	within.Policy.Limits = Limits{SockConnect: env.Policy.Limits.SockConnect}
	return retry(ctx, &within, attempt)
}
