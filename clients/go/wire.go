package main

import (
	"bytes"
	"context"
	"io"
	"net/http"
	"sync"
	"time"

	"github.com/deadlinelab/deadlinelab/adapter"
)

// attemptTimeout is what a library's own timeout option is fed with: total_ms,
// or the whole budget if that is less. Who has a budget does not grant one
// attempt more.
func attemptTimeout(op adapter.Operation) time.Duration {
	if op.Attempt.TotalMs == nil {
		return adapter.Ms(op.BudgetMs)
	}
	return adapter.Ms(min(*op.Attempt.TotalMs, op.BudgetMs))
}

// pauseAfter is the scenario's pause after attempt n, from 1; the last repeats.
func pauseAfter(op adapter.Operation, n int) time.Duration {
	if len(op.Policy.BackoffMs) == 0 {
		return 0
	}
	return adapter.Ms(op.Policy.BackoffMs[min(n, len(op.Policy.BackoffMs))-1])
}

// pauses are the scenario's shortest and longest pause.
func pauses(op adapter.Operation) (shortest, longest time.Duration) {
	for i := range op.Policy.BackoffMs {
		d := pauseAfter(op, i+1)
		if i == 0 || d < shortest {
			shortest = d
		}
		longest = max(longest, d)
	}
	return shortest, longest
}

// connections is the pool's limit; 0 = none.
func connections(op adapter.Operation) int {
	if op.Pool == nil {
		return 0
	}
	if op.Pool.LimitPerHost == 0 || op.Pool.Limit > 0 && op.Pool.Limit < op.Pool.LimitPerHost {
		return op.Pool.Limit
	}
	return op.Pool.LimitPerHost
}

// pooled is net/http's default transport with the scenario's pool, without
// proxies, as the bench is to see it.
func pooled(op adapter.Operation) http.RoundTripper {
	return watched(http.DefaultTransport.(*http.Transport).Clone(), op)
}

func watched(t *http.Transport, op adapter.Operation) http.RoundTripper {
	t.Proxy = nil
	t.MaxConnsPerHost = connections(op)
	return adapter.NewTransport(t)
}

// newRequest is what the bench asks for; its body can be sent again.
func newRequest(ctx context.Context, op adapter.Operation) (*http.Request, error) {
	var body io.Reader
	if op.BodyBytes > 0 {
		body = bytes.NewReader(payload(op.BodyBytes))
	}
	req, err := http.NewRequestWithContext(ctx, op.Method, op.URL, body)
	if err == nil && op.IdempotencyKey != "" {
		req.Header.Set("Idempotency-Key", op.IdempotencyKey)
	}
	return req, err
}

var filler struct {
	sync.Mutex
	bytes []byte
}

// payload is a request body of n bytes; all share one, which nobody writes to.
func payload(n int64) []byte {
	filler.Lock()
	defer filler.Unlock()
	if int64(len(filler.bytes)) < n {
		filler.bytes = bytes.Repeat([]byte{'x'}, int(n))
	}
	return filler.bytes[:n]
}

// doer is an http.Client, or what a library makes of one.
type doer interface {
	Do(*http.Request) (*http.Response, error)
}

// fetch is one call: request, head, whole body, close.
func fetch(ctx context.Context, c doer, op adapter.Operation) adapter.Result {
	req, err := newRequest(ctx, op)
	if err != nil {
		return adapter.Result{Outcome: adapter.ClientError, Err: err}
	}
	resp, err := c.Do(req)
	if err != nil {
		return adapter.Result{Err: err}
	}
	return receive(resp)
}

func receive(resp *http.Response) adapter.Result {
	defer resp.Body.Close()
	body, err := io.ReadAll(resp.Body)
	return adapter.Result{Status: resp.StatusCode, Body: body, Err: err}
}
