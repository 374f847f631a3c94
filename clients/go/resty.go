package main

import (
	"context"
	"net/http"
	"slices"
	"time"

	"github.com/go-resty/resty/v2"

	"github.com/deadlinelab/deadlinelab/adapter"
)

var restyClients = []kind{{
	name: "resty_readme", module: "github.com/go-resty/resty/v2", can: pausing, client: newResty,
	settings: map[string]string{
		"timeout": "SetTimeout = the smaller of attempt.total_ms and the budget; per attempt, the body included",
		"retries": "SetRetryCount = max_attempts - 1; AddRetryCondition: any error, or a retryable status",
		"backoff": "SetRetryAfter: the policy's pauses, within SetRetryWaitTime and SetRetryMaxWaitTime",
	},
}, {
	name: "resty_bounded", module: "github.com/go-resty/resty/v2", can: bounded, client: underDeadline(newResty),
	settings: map[string]string{
		"deadline": "Request.SetContext with a deadline taken at the call, over slot, pool, attempts, pauses and bodies",
		"timeout":  "SetTimeout = the smaller of attempt.total_ms and twice the budget, so that the deadline comes first; per attempt, the body included",
		"retries":  "SetRetryCount = max_attempts - 1; AddRetryCondition: any error, or a retryable status",
		"backoff":  "SetRetryAfter: the policy's pauses, within SetRetryWaitTime and SetRetryMaxWaitTime",
		"slots":    "a channel around the library, waited for under the deadline",
	},
}}

// restyClient is what calls share; each makes its resty.Client around it, with
// the call's timeout.
type restyClient struct{ pool http.RoundTripper }

func newResty(first adapter.Operation) adapter.Client { return &restyClient{pooled(first)} }

func (c *restyClient) library(op adapter.Operation) *resty.Client {
	shortest, longest := pauses(op)
	return resty.New().
		SetTransport(c.pool).
		SetTimeout(attemptTimeout(op)).
		SetRetryCount(op.Policy.MaxAttempts - 1).
		SetRetryWaitTime(shortest).
		SetRetryMaxWaitTime(longest).
		SetRetryAfter(restyPause(op)).
		AddRetryCondition(func(r *resty.Response, err error) bool {
			return err != nil || slices.Contains(op.Policy.RetryableStatuses, r.StatusCode())
		}).
		SetLogger(silent{})
}

// restyPause is the policy's pause; the library's own pauses are random.
func restyPause(op adapter.Operation) resty.RetryAfterFunc {
	return func(_ *resty.Client, resp *resty.Response) (time.Duration, error) {
		d := pauseAfter(op, resp.Request.Attempt)
		adapter.FromContext(resp.Request.Context()).BackoffStarted(d)
		return d, nil
	}
}

func (c *restyClient) Call(ctx context.Context, op adapter.Operation, s *adapter.Session) adapter.Result {
	req := c.library(op).R().SetContext(ctx)
	if op.BodyBytes > 0 {
		req.SetBody(payload(op.BodyBytes))
	}
	if op.IdempotencyKey != "" {
		req.SetHeader("Idempotency-Key", op.IdempotencyKey)
	}
	resp, err := req.Execute(op.Method, op.URL)
	r := adapter.Result{Err: err}
	if resp != nil {
		r.Status, r.Body = resp.StatusCode(), resp.Body()
	}
	return concluded(op, s.Attempts(), r)
}

func (c *restyClient) Close() { (&http.Client{Transport: c.pool}).CloseIdleConnections() }

// silent keeps the library's log off standard error: what stands there is shown with a failure.
type silent struct{}

func (silent) Errorf(string, ...any) {}
func (silent) Warnf(string, ...any)  {}
func (silent) Debugf(string, ...any) {}
