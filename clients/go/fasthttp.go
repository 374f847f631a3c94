package main

import (
	"bytes"
	"context"
	"errors"
	"sync"
	"time"

	"github.com/valyala/fasthttp"

	"github.com/deadlinelab/deadlinelab/adapter"
)

var fastHTTP = []kind{{
	name: "fasthttp_readme", module: "github.com/valyala/fasthttp", client: newFastHTTPReadme,
	can: []string{adapter.CanPool, adapter.CanAttempts},
	settings: map[string]string{
		"timeout": "DoTimeout = the budget; Client.ReadTimeout and WriteTimeout = the smaller of attempt.total_ms and the budget, per attempt",
		"retries": "the library's own: up to 5 attempts of a GET whose connection failed or timed out while reading; none after a status",
		"pool":    "MaxConnsPerHost; a request that finds none free is refused at once",
	},
}, {
	name: "fasthttp_bounded", module: "github.com/valyala/fasthttp", client: newFastHTTPBounded,
	can: []string{adapter.CanPool, adapter.CanAttempts, adapter.CanBackoff, adapter.CanSlots},
	settings: map[string]string{
		"deadline": "DoDeadline: the deadline taken at the call, or attempt.total_ms from the attempt on, whichever is earlier",
		"retries":  "MaxIdemponentCallAttempts = 1; a loop of its own, as the policy says",
		"pool":     "MaxConnsPerHost; MaxConnWaitTimeout = the budget, so that the queue is inside the deadline",
		"slots":    "a channel around the library, waited for under the deadline",
	},
}}

// fastClient reports attempts from the library's transport, which is told the
// request but no context: it is known by its request.
type fastClient struct {
	fasthttp.Client
	calls sync.Map // *fasthttp.Request -> *adapter.Session
}

func newFast(first adapter.Operation) *fastClient {
	c := &fastClient{}
	c.Client.Transport = c
	c.MaxConnsPerHost = connections(first)
	return c
}

func newFastHTTPReadme(first adapter.Operation) adapter.Client {
	c := newFast(first)
	c.ReadTimeout, c.WriteTimeout = attemptTimeout(first), attemptTimeout(first)
	return &fastReadme{c}
}

func newFastHTTPBounded(first adapter.Operation) adapter.Client {
	c := newFast(first)
	c.MaxIdemponentCallAttempts = 1
	c.MaxConnWaitTimeout = adapter.Ms(first.BudgetMs)
	return &fastBounded{c}
}

// RoundTrip is one attempt; the library buffers the whole answer.
func (c *fastClient) RoundTrip(hc *fasthttp.HostClient, req *fasthttp.Request, resp *fasthttp.Response) (retry bool, err error) {
	known, _ := c.calls.Load(req)
	s, _ := known.(*adapter.Session)
	a := s.StartAttempt()
	retry, err = fasthttp.DefaultTransport.RoundTrip(hc, req, resp)
	switch {
	case err == nil:
		a.Finished(resp.StatusCode())
	case fastOutcome(err) == adapter.AttemptTimeout:
		a.TimedOut("", err)
	default:
		a.Failed(err)
	}
	return retry, err
}

// fetch is one call into the library by do.
func (c *fastClient) fetch(op adapter.Operation, s *adapter.Session, do func(*fasthttp.Request, *fasthttp.Response) error) adapter.Result {
	req, resp := fasthttp.AcquireRequest(), fasthttp.AcquireResponse()
	defer fasthttp.ReleaseRequest(req)
	defer fasthttp.ReleaseResponse(resp)
	req.SetRequestURI(op.URL)
	req.Header.SetMethod(op.Method)
	c.calls.Store(req, s)
	defer c.calls.Delete(req)
	if err := do(req, resp); err != nil {
		return adapter.Result{Outcome: fastOutcome(err), Err: err}
	}
	return adapter.Result{Status: resp.StatusCode(), Body: bytes.Clone(resp.Body())}
}

// fastOutcome goes by the library's own errors first.
func fastOutcome(err error) string {
	switch {
	case errors.Is(err, fasthttp.ErrDialTimeout):
		return adapter.ConnectTimeout
	case errors.Is(err, fasthttp.ErrTimeout):
		return adapter.AttemptTimeout
	case errors.Is(err, fasthttp.ErrNoFreeConns):
		return adapter.Refused
	}
	return adapter.OutcomeOf(err)
}

func (c *fastClient) Close() { c.CloseIdleConnections() }

type fastReadme struct{ *fastClient }

// Call is the documentation's DoTimeout: it covers the library's own retries.
func (c *fastReadme) Call(_ context.Context, op adapter.Operation, s *adapter.Session) adapter.Result {
	budget := adapter.Ms(op.BudgetMs)
	until := time.Now().Add(budget)
	r := c.fetch(op, s, func(req *fasthttp.Request, resp *fasthttp.Response) error { return c.DoTimeout(req, resp, budget) })
	if !time.Now().Before(until) && r.Outcome == adapter.AttemptTimeout || dialCut(r, budget) {
		r.Outcome = adapter.DeadlineExceeded // both limits raise one error: the time tells which it was
	}
	return r
}

// dialCut tells whether a dial was ended by what was left of the call: the
// library's own limit of a dial is longer.
func dialCut(r adapter.Result, left time.Duration) bool {
	return r.Outcome == adapter.ConnectTimeout && left < fasthttp.DefaultDialTimeout
}

type fastBounded struct{ *fastClient }

func (c *fastBounded) Call(ctx context.Context, op adapter.Operation, s *adapter.Session) adapter.Result {
	r := admitted(ctx, s, func(ctx context.Context) adapter.Result {
		return retrying(ctx, s, op, func(context.Context) adapter.Result { return c.attempt(op, s) })
	})
	if errors.Is(r.Err, context.DeadlineExceeded) || errors.Is(r.Err, adapter.ErrDeadline) { // of a wait around the library: its caller knows the library's error
		r.Outcome, r.Err = adapter.DeadlineExceeded, fasthttp.ErrTimeout
	}
	return r
}

// attempt ends at the earlier of its own limit and the call's deadline: the
// library knows one deadline. Which of them it was is told here, because the
// library may be a moment earlier than the context.
func (c *fastBounded) attempt(op adapter.Operation, s *adapter.Session) adapter.Result {
	until := s.Deadline()
	if own := time.Now().Add(attemptTimeout(op)); own.Before(until) {
		until = own
	}
	left := time.Until(until)
	r := c.fetch(op, s, func(req *fasthttp.Request, resp *fasthttp.Response) error { return c.DoDeadline(req, resp, until) })
	if until.Equal(s.Deadline()) && (r.Outcome == adapter.AttemptTimeout || dialCut(r, left)) {
		r.Outcome = adapter.DeadlineExceeded
	}
	return r
}
