package main

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"time"

	"github.com/cenkalti/backoff/v5"

	"github.com/deadlinelab/deadlinelab/adapter"
)

var backoffClients = []kind{{
	name: "backoff_readme", module: "github.com/cenkalti/backoff/v5", client: newBackoffReadme,
	can: []string{adapter.CanPool, adapter.CanAttempts, adapter.CanBackoff, adapter.CanBody}, // nothing in the example can be cancelled
	settings: map[string]string{
		"timeout": "none for a request: http.Client.Get without a context, as in the example; WithMaxElapsedTime = the budget",
		"retries": "WithMaxTries = max_attempts; a status that is not retryable is Permanent",
		"backoff": "ExponentialBackOff from the policy's shortest to its longest pause, randomized by half",
	},
}, {
	name: "backoff_bounded", module: "github.com/cenkalti/backoff/v5", can: bounded, client: newBackoffBounded,
	settings: map[string]string{
		"deadline": "context.WithDeadline at the call, for Retry and for every request: over slot, pool, attempts, pauses and bodies",
		"timeout":  "context.WithTimeout per attempt = attempt.total_ms",
		"retries":  "WithMaxTries = max_attempts; what is not retryable is Permanent",
		"backoff":  "the policy's pauses",
		"slots":    "a channel around the library, waited for under the deadline",
	},
}}

type backoffReadme struct{ http.Client }

func newBackoffReadme(first adapter.Operation) adapter.Client {
	return &backoffReadme{http.Client{Transport: pooled(first)}}
}

// Call repeats a request without a context, as the library's example repeats http.Get.
func (c *backoffReadme) Call(ctx context.Context, op adapter.Operation, s *adapter.Session) adapter.Result {
	pause := backoff.NewExponentialBackOff()
	pause.InitialInterval, pause.MaxInterval = pauses(op)
	apart := context.WithoutCancel(ctx)
	return repeated(ctx, s, op, func() adapter.Result { return fetch(apart, &c.Client, op) }, anyError,
		backoff.WithBackOff(pause), backoff.WithMaxElapsedTime(adapter.Ms(op.BudgetMs)))
}

func (c *backoffReadme) Close() { c.CloseIdleConnections() }

type backoffBounded struct{ http.Client }

func newBackoffBounded(first adapter.Operation) adapter.Client {
	return &backoffBounded{http.Client{Transport: pooled(first)}}
}

func (c *backoffBounded) Call(ctx context.Context, op adapter.Operation, s *adapter.Session) adapter.Result {
	return admitted(ctx, s, func(ctx context.Context) adapter.Result {
		attempt := func() adapter.Result {
			return within(ctx, op, func(ctx context.Context) adapter.Result { return fetch(ctx, &c.Client, op) })
		}
		return repeated(ctx, s, op, attempt, asPolicy, backoff.WithBackOff(&listed{op: op}), backoff.WithMaxElapsedTime(0))
	})
}

func (c *backoffBounded) Close() { c.CloseIdleConnections() }

// listed is the policy's own list of pauses.
type listed struct {
	op adapter.Operation
	n  int
}

func (l *listed) Reset() { l.n = 0 }

func (l *listed) NextBackOff() time.Duration {
	l.n++
	return pauseAfter(l.op, l.n)
}

// statusError is an answer that is not a 2xx: the library repeats what returns an error.
type statusError int

func (e statusError) Error() string { return fmt.Sprintf("status %d", int(e)) }

// repeated is one call of the library's Retry; verdict says what an attempt
// returns to it.
func repeated(ctx context.Context, s *adapter.Session, op adapter.Operation, attempt func() adapter.Result,
	verdict func(adapter.Policy, adapter.Result) error, options ...backoff.RetryOption) adapter.Result {
	options = append(options, backoff.WithMaxTries(uint(op.Policy.MaxAttempts)),
		backoff.WithNotify(func(_ error, d time.Duration) { s.BackoffStarted(d) }))
	r, err := backoff.Retry(ctx, func() (adapter.Result, error) {
		r := attempt()
		return r, verdict(op.Policy, r)
	}, options...)
	if r.Err = err; err == nil {
		return r
	}
	if status := statusError(0); errors.As(err, &status) {
		r.Outcome = adapter.UnexpectedStatus
	}
	return concluded(op, s.Attempts(), r)
}

// anyError repeats every error, as the library's example does, and retryable statuses.
func anyError(p adapter.Policy, r adapter.Result) error {
	switch {
	case r.Err != nil || outcome(r) == adapter.Success:
		return r.Err
	case slices.Contains(p.RetryableStatuses, r.Status):
		return statusError(r.Status)
	}
	return backoff.Permanent(statusError(r.Status))
}

// asPolicy repeats what the policy repeats.
func asPolicy(p adapter.Policy, r adapter.Result) error {
	if r.Err != nil && !retryable(p, r) {
		return backoff.Permanent(r.Err)
	}
	return anyError(p, r)
}
