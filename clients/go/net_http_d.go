package main

import (
	"net/http"

	"github.com/deadlinelab/deadlinelab/adapter"
)

// net_http_d places every limit where the bench's own variant D does: the two
// must not be told apart by any scenario.
var netHTTPD = []kind{{
	name: "net_http_d", can: bounded, client: newNetHTTPD,
	settings: map[string]string{
		"deadline": "context.WithDeadline at the call, over slot, pool, attempts, pauses and bodies",
		"timeout":  "per attempt: total_ms (context), connect_ms with the pool's queue, sock_connect_ms (dial), sock_read_ms (silence)",
		"retries":  "a loop of its own, as the policy says",
		"slots":    "a channel, waited for under the deadline",
	},
}}

func newNetHTTPD(first adapter.Operation) adapter.Client {
	pool := &http.Transport{DialContext: dialWithin(first.Attempt.SockConnectMs), MaxConnsPerHost: connections(first)}
	return &netHTTPBounded{http.Client{Transport: adapter.NewTransport(&limited{base: pool, limits: first.Attempt})}}
}
