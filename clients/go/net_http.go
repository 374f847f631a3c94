package main

import (
	"context"
	"net/http"

	"github.com/deadlinelab/deadlinelab/adapter"
)

var netHTTP = []kind{{
	name: "net_http_readme", can: onNetHTTP, client: newNetHTTPReadme,
	settings: map[string]string{
		"timeout": "http.Client.Timeout = the smaller of attempt.total_ms and the budget; the body included",
		"retries": "none",
	},
}, {
	name: "net_http_bounded", can: bounded, client: newNetHTTPBounded,
	settings: map[string]string{
		"deadline": "context.WithDeadline at the call, over slot, pool, attempts, pauses and bodies",
		"timeout":  "context.WithTimeout per attempt = attempt.total_ms",
		"retries":  "a loop of its own, as the policy says",
		"slots":    "a channel, waited for under the deadline",
	},
}}

// netHTTPReadme is one request through an http.Client with its Timeout; calls
// share the transport.
type netHTTPReadme struct{ http.Client }

func newNetHTTPReadme(first adapter.Operation) adapter.Client {
	return &netHTTPReadme{http.Client{Transport: pooled(first)}}
}

func (c *netHTTPReadme) Call(ctx context.Context, op adapter.Operation, _ *adapter.Session) adapter.Result {
	client := c.Client
	client.Timeout = attemptTimeout(op)
	return fetch(ctx, &client, op)
}

func (c *netHTTPReadme) Close() { c.CloseIdleConnections() }

// netHTTPBounded takes one deadline at the call; each attempt has its own limit inside.
type netHTTPBounded struct{ http.Client }

func newNetHTTPBounded(first adapter.Operation) adapter.Client {
	return &netHTTPBounded{http.Client{Transport: pooled(first)}}
}

func (c *netHTTPBounded) Call(ctx context.Context, op adapter.Operation, s *adapter.Session) adapter.Result {
	return admitted(ctx, s, func(ctx context.Context) adapter.Result {
		return retrying(ctx, s, op, func(ctx context.Context) adapter.Result {
			return within(ctx, op, func(ctx context.Context) adapter.Result { return fetch(ctx, &c.Client, op) })
		})
	})
}

func (c *netHTTPBounded) Close() { c.CloseIdleConnections() }
