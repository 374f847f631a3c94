package main

import (
	"context"
	"errors"
	"net/http"

	"github.com/failsafe-go/failsafe-go"
	"github.com/failsafe-go/failsafe-go/failsafehttp"
	"github.com/failsafe-go/failsafe-go/retrypolicy"
	"github.com/failsafe-go/failsafe-go/timeout"

	"github.com/deadlinelab/deadlinelab/adapter"
)

var failsafeClients = []kind{{
	name: "failsafe_readme", module: "github.com/failsafe-go/failsafe-go", can: pausing, client: newFailsafe,
	settings: map[string]string{
		"timeout": "timeout policy inside the retry policy = the smaller of attempt.total_ms and the budget; up to the response head",
		"retries": "failsafehttp.NewRetryPolicyBuilder, WithMaxAttempts = max_attempts: errors, 429, 5xx except 501",
		"backoff": "WithBackoff from the policy's shortest to its longest pause",
	},
}, {
	name: "failsafe_bounded", module: "github.com/failsafe-go/failsafe-go", can: bounded, client: underDeadline(newFailsafe),
	settings: map[string]string{
		"deadline": "the request's context, with a deadline taken at the call, over slot, pool, attempts, pauses and bodies",
		"timeout":  "timeout policy inside the retry policy = the smaller of attempt.total_ms and twice the budget, so that the deadline comes first; up to the response head",
		"retries":  "failsafehttp.NewRetryPolicyBuilder, WithMaxAttempts = max_attempts: errors, 429, 5xx except 501",
		"backoff":  "WithBackoff from the policy's shortest to its longest pause",
		"slots":    "a channel around the library, waited for under the deadline",
	},
}}

type failsafeClient struct{ http.Client }

func newFailsafe(first adapter.Operation) adapter.Client {
	retries := failsafehttp.NewRetryPolicyBuilder().WithMaxAttempts(first.Policy.MaxAttempts)
	if shortest, longest := pauses(first); shortest < longest {
		retries = retries.WithBackoff(shortest, longest)
	} else {
		retries = retries.WithDelay(longest) // the library wants a range to have a width
	}
	retries = retries.OnRetryScheduled(func(e failsafe.ExecutionScheduledEvent[*http.Response]) {
		adapter.FromContext(e.Context()).BackoffStarted(e.Delay)
	})
	limit := timeout.New[*http.Response](attemptTimeout(first))
	return &failsafeClient{http.Client{Transport: failsafehttp.NewRoundTripper(pooled(first), retries.Build(), limit)}}
}

func (c *failsafeClient) Call(ctx context.Context, op adapter.Operation, s *adapter.Session) adapter.Result {
	r := fetch(ctx, &c.Client, op)
	var exceeded retrypolicy.ExceededError
	switch {
	case errors.As(r.Err, &exceeded):
		r.Outcome, r.Last = adapter.RetriesExhausted, failsafeLast(exceeded)
		if op.Policy.MaxAttempts == 1 {
			r.Outcome, r.Last = r.Last, ""
		}
	case errors.Is(r.Err, timeout.ErrExceeded):
		r.Outcome = adapter.AttemptTimeout
	}
	return r
}

// failsafeLast is how the last attempt failed.
func failsafeLast(e retrypolicy.ExceededError) string {
	if errors.Is(e.LastError, timeout.ErrExceeded) {
		return adapter.AttemptTimeout
	}
	if e.LastError != nil {
		return adapter.OutcomeOf(e.LastError)
	}
	return adapter.UnexpectedStatus
}

func (c *failsafeClient) Close() { c.CloseIdleConnections() }
