package main

import (
	"context"
	"net/http"
	"time"

	"github.com/hashicorp/go-retryablehttp"

	"github.com/deadlinelab/deadlinelab/adapter"
)

var retryableHTTP = []kind{{
	name: "retryablehttp_readme", module: "github.com/hashicorp/go-retryablehttp", can: pausing, client: newRetryableHTTP,
	settings: map[string]string{
		"timeout": "HTTPClient.Timeout = the smaller of attempt.total_ms and the budget; per attempt",
		"retries": "RetryMax = max_attempts - 1; default CheckRetry: errors, 429, 5xx except 501",
		"backoff": "DefaultBackoff from RetryWaitMin to RetryWaitMax = the policy's shortest and longest pause",
	},
}, {
	name: "retryablehttp_bounded", module: "github.com/hashicorp/go-retryablehttp", can: bounded, client: underDeadline(newRetryableHTTP),
	settings: map[string]string{
		"deadline": "NewRequestWithContext with a deadline taken at the call, over slot, pool, attempts, pauses and bodies",
		"timeout":  "HTTPClient.Timeout = the smaller of attempt.total_ms and twice the budget, so that the deadline comes first; per attempt",
		"retries":  "RetryMax = max_attempts - 1; default CheckRetry: errors, 429, 5xx except 501",
		"backoff":  "DefaultBackoff from RetryWaitMin to RetryWaitMax = the policy's shortest and longest pause",
		"slots":    "a channel around the library, waited for under the deadline",
	},
}}

type retryableClient struct{ http *http.Client }

func newRetryableHTTP(first adapter.Operation) adapter.Client {
	c := retryablehttp.NewClient().HTTPClient
	c.Transport = watched(c.Transport.(*http.Transport), first)
	return &retryableClient{c}
}

func (c *retryableClient) Call(ctx context.Context, op adapter.Operation, s *adapter.Session) adapter.Result {
	req, err := retryablehttp.NewRequestWithContext(ctx, op.Method, op.URL, rewindable(op))
	if err != nil {
		return adapter.Result{Outcome: adapter.ClientError, Err: err}
	}
	if op.IdempotencyKey != "" {
		req.Header.Set("Idempotency-Key", op.IdempotencyKey)
	}
	status := 0
	resp, err := c.library(op, s, &status).Do(req)
	if err != nil {
		return c.failed(op, s, status, err)
	}
	return receive(resp)
}

// library is the library's client on the shared transport: one per call, so
// that it has the call's timeout and its hooks know whose pause it is.
func (c *retryableClient) library(op adapter.Operation, s *adapter.Session, status *int) *retryablehttp.Client {
	own := *c.http
	own.Timeout = attemptTimeout(op)
	library := retryablehttp.NewClient()
	library.HTTPClient = &own
	library.Logger = nil
	library.RetryMax = op.Policy.MaxAttempts - 1
	library.RetryWaitMin, library.RetryWaitMax = pauses(op)
	library.Backoff = func(shortest, longest time.Duration, n int, resp *http.Response) time.Duration {
		d := retryablehttp.DefaultBackoff(shortest, longest, n, resp)
		s.BackoffStarted(d)
		return d
	}
	library.CheckRetry = func(ctx context.Context, resp *http.Response, err error) (bool, error) {
		if *status = 0; resp != nil {
			*status = resp.StatusCode
		}
		return retryablehttp.DefaultRetryPolicy(ctx, resp, err)
	}
	return library
}

// failed tells a last answer that was not wanted from an error.
func (c *retryableClient) failed(op adapter.Operation, s *adapter.Session, status int, err error) adapter.Result {
	r := adapter.Result{Status: status, Err: err}
	if status != 0 && adapter.OutcomeOf(err) == adapter.TransportError {
		r.Outcome = adapter.UnexpectedStatus
	}
	return concluded(op, s.Attempts(), r)
}

func (c *retryableClient) Close() { c.http.CloseIdleConnections() }

// rewindable is nil without a body: a nil slice would be one of no bytes.
func rewindable(op adapter.Operation) any {
	if op.BodyBytes == 0 {
		return nil
	}
	return payload(op.BodyBytes)
}
