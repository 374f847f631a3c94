package variants

import (
	"context"
	"slices"
	"time"

	"github.com/deadlinelab/deadlinelab/internal/eventlog"
)

// retry makes attempts until one succeeds, one fails for good, the policy
// allows no more, or ctx ends.
func retry(ctx context.Context, env *Env, one func(context.Context, *Env) (Response, error)) (Response, error) {
	return loop(ctx, env, one, env.Policy.next)
}

// loop makes attempts and asks before each further one: next is told the number
// of the attempt and how it failed, and returns the pause before the next
// attempt, or why there is none. It looks at the deadline of ctx before each
// attempt and before it returns a success. There is no pause after the last attempt.
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

// overdue tells whether ctx has ended or should have: a deadline that has
// passed counts even if its timer has not been delivered yet.
func overdue(ctx context.Context) error {
	if ctx.Err() != nil {
		return Stopped(ctx)
	}
	if at, ok := ctx.Deadline(); ok && !time.Now().Before(at) {
		return stoppedBy(ErrOperationDeadline)
	}
	return nil
}

// next is the pause after attempt n, from 1, which failed, or how the operation ends.
func (p Policy) next(n int, failed error) (time.Duration, error) {
	switch {
	case !p.Retryable(failed):
		return 0, failed
	case n >= p.MaxAttempts:
		return 0, exhausted(p, failed)
	}
	return p.pauseAfter(n), nil
}

// exhausted is the end of an operation that made all the attempts it was
// allowed: the failure itself where that was one, else retries_exhausted with
// the last failure beside it.
func exhausted(p Policy, err error) error {
	if p.MaxAttempts <= 1 {
		return err
	}
	last, _ := OutcomeOf(err)
	return &Error{Outcome: eventlog.RetriesExhausted, Last: last, Err: err}
}

// Retryable tells whether the policy allows another attempt after err.
func (p Policy) Retryable(err error) bool {
	outcome, _ := OutcomeOf(err)
	if outcome == eventlog.UnexpectedStatus {
		return slices.Contains(p.RetryableStatuses, statusOf(err))
	}
	return slices.Contains(p.RetryableFailures, outcome)
}

// pauseAfter is the backoff after attempt n, from 1; the last entry repeats.
func (p Policy) pauseAfter(n int) time.Duration {
	if len(p.Backoff) == 0 {
		return 0
	}
	return p.Backoff[min(n, len(p.Backoff))-1]
}
