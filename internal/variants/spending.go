package variants

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync/atomic"
	"time"

	"github.com/deadlinelab/deadlinelab/internal/eventlog"
	"github.com/deadlinelab/deadlinelab/internal/retryafter"
)

// spending is how the budgeted client spends the time of one operation.
type spending struct {
	env      *Env
	deadline time.Time     // the operation's, or the caller's if that is earlier
	least    time.Duration // what an attempt must have to be worth its while
	attempts int
	phase    atomic.Int32
	why      string // why there is no further attempt, where the failure alone does not say it
}

func newSpending(ctx context.Context, env *Env) *spending {
	deadline, _ := ctx.Deadline()
	s := &spending{env: env, deadline: deadline, least: LeastAttempt(deadline.Sub(env.Start), env.Policy.Limits.Total)}
	s.enter(phaseSlot)
	return s
}

// LeastAttempt is what an attempt of the budgeted client must have to be worth its while: a tenth of the budget, or the attempt limit if that is shorter.
func LeastAttempt(budget, total time.Duration) time.Duration { return atMost(budget/10, total) }

func (s *spending) left() time.Duration { return time.Until(s.deadline) }

// limited gives the running attempt its share of what is left; the last one
// may use all of it, and the deadline alone ends it.
func (s *spending) limited(ctx context.Context) (context.Context, context.CancelFunc) {
	left := s.left()
	limit := Share(s.env, s.attempts, left, s.least)
	if limit >= left {
		return context.WithCancel(ctx)
	}
	return context.WithTimeoutCause(ctx, limit, ErrAttemptTimeout)
}

// Share is the most that attempt n of the budgeted client may take: the
// attempt limit, and half of what is left after the next pause as long as
// another attempt may follow and both halves are worth an attempt.
func Share(env *Env, n int, left, least time.Duration) time.Duration {
	limit := left
	if n < env.Policy.MaxAttempts && env.Repeatable() && slices.Contains(env.Policy.RetryableFailures, eventlog.AttemptTimeout) {
		if half := (left - env.Policy.pauseAfter(n)) / 2; half >= least {
			limit = half
		}
	}
	return atMost(limit, env.Policy.Limits.Total)
}

// next is the pause after a failed attempt, or the end of the operation.
func (s *spending) next(ctx context.Context, n int, failed error) (time.Duration, error) {
	if err := overdue(ctx); err != nil {
		return 0, err
	}
	p := s.env.Policy
	backoff, stop := p.next(n, failed)
	if stop != nil {
		return 0, stop
	}
	if !s.env.Repeatable() {
		s.why = fmt.Sprintf("%s without an Idempotency-Key is not sent twice", s.env.Method)
		return 0, failed
	}
	pause, from := pauseFor(backoff, failed)
	if s.left()-pause < s.least {
		s.why = fmt.Sprintf("%s of %s leaves no room for an attempt of %s", from, pause, s.least)
		return 0, exhausted(p, failed)
	}
	if !s.env.RetryBudget.Retry(retryPercent) {
		s.why = "the callers together have used up their retries"
		return 0, exhausted(p, failed)
	}
	s.enter(phasePause)
	return pause, nil
}

// pauseFor is the backoff, or what the server asked for if that is longer.
func pauseFor(backoff time.Duration, failed error) (pause time.Duration, from string) {
	var status *StatusError
	if errors.As(failed, &status) {
		if asked, ok := retryafter.Parse(status.RetryAfter, time.Now()); ok && asked > backoff {
			return asked, "Retry-After"
		}
	}
	return backoff, "a pause"
}

// DialSpare is how long a dial of the budgeted client may outlive its attempt.
const DialSpare = keepIdle

// bounded is env with a limit for dials, which live on after their attempt has
// ended; a little longer than the attempt, so that its own limit ends it.
func (s *spending) bounded(attempt context.Context) *Env {
	within := *s.env
	end, _ := attempt.Deadline()
	within.Policy.Limits.SockConnect = atMost(time.Until(end)+DialSpare, within.Policy.Limits.SockConnect)
	return &within
}
