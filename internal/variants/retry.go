package variants

import (
	"context"
	"slices"
	"time"

	"github.com/deadlinelab/deadlinelab/internal/eventlog"
)

// retry makes attempts until one succeeds, one fails for good, the policy
// allows no more, or ctx ends. It looks at the deadline of ctx before each
// attempt and before it returns a success. There is no pause after the last attempt.
func retry(ctx context.Context, env *Env, one func(context.Context, *Env) (Response, error)) (Response, error) {
	for n := 1; ; n++ {
		if err := overdue(ctx); err != nil {
			return Response{}, err
		}
		resp, err := one(ctx, env)
		if err == nil {
			return resp, overdue(ctx)
		}
		if n >= env.Policy.MaxAttempts || !env.Policy.Retryable(err) {
			return resp, final(env.Policy, err)
		}
		if err := env.Pause(ctx, env.Policy.pauseAfter(n)); err != nil {
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

// final is the outcome of an operation whose last attempt failed: the failure
// itself when it ends the operation at once or only one attempt was allowed,
// else retries_exhausted with the last failure beside it.
func final(p Policy, err error) error {
	if p.MaxAttempts <= 1 || !p.Retryable(err) {
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
