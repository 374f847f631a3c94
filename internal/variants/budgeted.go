package variants

import (
	"context"
	"net/http"
	"time"
)

func init() {
	Register(Variant{
		Name:      "budgeted",
		Summary:   "one deadline for everything; attempts get a share of what is left, and nothing is waited for that no attempt could follow",
		Placement: Placement{Deadline: "t0", SlotPer: "attempt", AttemptLimit: true, Total: "share", FitPauses: true},
		Listed:    true,
		Do:        budgeted,
		Tune:      func(t *http.Transport, _ Policy) { t.IdleConnTimeout = keepIdle },
	})
}

func budgeted(ctx context.Context, env *Env) (Response, error) {
	ctx, cancel := context.WithDeadlineCause(ctx, env.Start.Add(env.Policy.Budget), ErrOperationDeadline)
	defer cancel()
	s := newSpending(ctx, env)
	env.RetryBudget.Call()
	one := func(ctx context.Context, env *Env) (Response, error) { return budgetedAttempt(ctx, env, s) }
	next := func(n int, failed error) (time.Duration, error) { return s.next(ctx, n, failed) }
	resp, err := loop(ctx, env, one, next)
	return resp, s.explain(err)
}

// budgetedAttempt holds a slot for one attempt, and ends it when its share is used up.
func budgetedAttempt(ctx context.Context, env *Env, s *spending) (Response, error) {
	s.enter(phaseSlot)
	if err := env.Slots.Acquire(ctx); err != nil {
		return Response{}, err
	}
	defer env.Slots.Release()
	s.attempts++
	ctx, cancel := s.limited(ctx)
	defer cancel()
	resp, err := send(s.traced(ctx), s.bounded(ctx), &http.Client{Transport: env.Transport})
	if err != nil {
		return Response{}, err
	}
	s.enter(phaseBody)
	if is2xx(resp.StatusCode) {
		return receive(ctx, env, resp)
	}
	drain(resp.Body, cancel)
	return Response{}, Verify(Response{Status: resp.StatusCode, Header: resp.Header}, "")
}
