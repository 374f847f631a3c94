package variants

import (
	"context"
	"time"

	"github.com/deadlinelab/deadlinelab/internal/eventlog"
)

// loop makes attempts as retry does, but asks before each further one: next is
// told the number of the attempt and how it failed, and returns the pause
// before the next attempt, or why there is none.
func loop(ctx context.Context, env *Env, one func(context.Context, *Env) (Response, error), next func(n int, failed error) (time.Duration, error)) (Response, error) {
	for n := 1; ; n++ {
		if err := overdue(ctx); err != nil {
			return Response{}, err
		}
		resp, err := one(ctx, env)
		if err == nil {
			return resp, overdue(ctx)
		}
		pause, stop := next(n, err)
		if stop != nil {
			return resp, stop
		}
		if err := env.Pause(ctx, pause); err != nil {
			return Response{}, err
		}
	}
}

// exhausted is the end of an operation that made all the attempts it was allowed.
func exhausted(p Policy, err error) error {
	if p.MaxAttempts <= 1 {
		return err
	}
	last, _ := OutcomeOf(err)
	return &Error{Outcome: eventlog.RetriesExhausted, Last: last, Err: err}
}
