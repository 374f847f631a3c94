package main

import (
	"context"
	"errors"
	"fmt"
	"net/http"

	"github.com/failsafe-go/failsafe-go"
	"github.com/failsafe-go/failsafe-go/failsafehttp"
	"github.com/failsafe-go/failsafe-go/retrypolicy"
	"github.com/failsafe-go/failsafe-go/timeout"

	"github.com/deadlinelab/deadlinelab/adapter"
)

var failsafeClients = []kind{{
	name: "failsafe_readme", module: "github.com/failsafe-go/failsafe-go", can: pausing, client: newFailsafeReadme,
	settings: map[string]string{
		"timeout": "a timeout policy outside the retry policy = the budget, and one inside it = attempt.total_ms; both up to the response head",
		"retries": "failsafehttp.NewRetryPolicyBuilder, WithMaxAttempts = max_attempts: errors, 429, 5xx except 501",
		"backoff": "WithBackoff from the policy's shortest to its longest pause",
	},
}, {
	name: "failsafe_bounded", module: "github.com/failsafe-go/failsafe-go", can: bounded, client: underDeadline(newFailsafeBounded),
	settings: map[string]string{
		"deadline": "the request's context, with a deadline taken at the call, over slot, pool, attempts, pauses and bodies",
		"timeout":  "a timeout policy inside the retry policy = attempt.total_ms; up to the response head",
		"retries":  "failsafehttp.NewRetryPolicyBuilder, WithMaxAttempts = max_attempts: errors, 429, 5xx except 501",
		"backoff":  "WithBackoff from the policy's shortest to its longest pause",
		"slots":    "a channel around the library, waited for under the deadline",
	},
}}

// failsafeClient is what calls share; each makes its RoundTripper around it,
// with the call's policies.
type failsafeClient struct {
	pool  http.RoundTripper
	whole bool // a timeout policy outside the retry policy, of the whole budget
}

func newFailsafeReadme(first adapter.Operation) adapter.Client {
	return &failsafeClient{pooled(first), true}
}

func newFailsafeBounded(first adapter.Operation) adapter.Client {
	return &failsafeClient{pooled(first), false}
}

// policies are composed around the request, the last one innermost.
func (c *failsafeClient) policies(op adapter.Operation) (list []failsafe.Policy[*http.Response]) {
	if c.whole {
		list = append(list, timeout.New[*http.Response](adapter.Ms(op.BudgetMs)))
	}
	list = append(list, failsafeRetries(op))
	if op.Attempt.TotalMs != nil {
		list = append(list, timeout.New[*http.Response](adapter.Ms(*op.Attempt.TotalMs)))
	}
	return list
}

func failsafeRetries(op adapter.Operation) retrypolicy.RetryPolicy[*http.Response] {
	retries := failsafehttp.NewRetryPolicyBuilder().WithMaxAttempts(op.Policy.MaxAttempts)
	if shortest, longest := pauses(op); shortest < longest {
		retries = retries.WithBackoff(shortest, longest)
	} else {
		retries = retries.WithDelay(longest) // the library wants a range to have a width
	}
	return retries.OnRetryScheduled(func(e failsafe.ExecutionScheduledEvent[*http.Response]) {
		adapter.FromContext(e.Context()).BackoffStarted(e.Delay)
	}).Build()
}

func (c *failsafeClient) Call(ctx context.Context, op adapter.Operation, _ *adapter.Session) adapter.Result {
	client := http.Client{Transport: failsafehttp.NewRoundTripper(c.pool, c.policies(op)...)}
	r := fetch(ctx, &client, op)
	var exceeded retrypolicy.ExceededError
	switch {
	case errors.As(r.Err, &exceeded):
		r.Outcome, r.Last = adapter.RetriesExhausted, failsafeLast(exceeded)
		if op.Policy.MaxAttempts == 1 {
			r.Outcome, r.Last = r.Last, ""
		}
	case errors.Is(r.Err, timeout.ErrExceeded): // not through the retry policy: of the whole
		r.Outcome = adapter.DeadlineExceeded
	}
	if errors.Is(r.Err, timeout.ErrExceeded) {
		r.ErrorType = fmt.Sprintf("%T: timeout.ErrExceeded", r.Err)
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

func (c *failsafeClient) Close() { (&http.Client{Transport: c.pool}).CloseIdleConnections() }
