package runner_test

import (
	"context"
	"fmt"
	"net"
	"sync/atomic"
	"testing"
	"time"

	"github.com/deadlinelab/deadlinelab/internal/eventlog"
	"github.com/deadlinelab/deadlinelab/internal/runner"
)

// Count is what was counted, without its names.
func Count(k eventlog.Leaks) string {
	return fmt.Sprintf("%d goroutines, %d connections, %d dials, %d slots, %d handlers, %d server connections",
		k.Goroutines, k.Connections, k.Dials, k.Slots, k.Handlers, k.ServerConnections)
}

const nothing = "0 goroutines, 0 connections, 0 dials, 0 slots, 0 handlers, 0 server connections"

// Clients that give back what they took leak nothing; that is counted 200 ms
// after the last operation of each series, and the probe follows.
func TestNoLeaks(t *testing.T) {
	inLab(t, func(l *lab) {
		p := l.plan(runner.Options{Repeats: 2, Operations: 3}, "D", load(t, "slow_body"))
		rec := l.mustRun(p)
		for _, c := range p.Cells {
			k, last := leaksOf(t, rec, c.Variant), int64(0)
			for _, it := range p.Items {
				if end, _ := first(rec.client[it.Op], eventlog.OperationFinished); it.Variant == c.Variant {
					last = max(last, end.TNs)
				}
			}
			probe := rec.client[k.Probe]
			if Count(k) != nothing || k.Label != c.Label || k.Scenario != "slow_body" {
				t.Errorf("%s: %s", c.Variant, Count(k))
			}
			if probe[0].TNs != last+200*FromMs || probe[0].Start.Phase != eventlog.Probe || probe[len(probe)-1].Outcome != eventlog.Success {
				t.Errorf("%s: probed %d ms after the last end: %s", c.Variant, (probe[0].TNs-last)/FromMs, kinds(probe))
			}
		}
	})
}

// A server that goes on working for clients that have left is theirs to see:
// two attempts of a caller, each with its handler and its connection.
func TestBusyHandlers(t *testing.T) {
	inLab(t, func(l *lab) {
		l.config = func(c *runner.Config) { c.Settle = time.Hour }
		p := l.plan(runner.Options{Repeats: 1, Operations: 4}, "D", parse(t, `
operation: {budget_ms: 1000, backoff_ms: [100]}
attempt: {total_ms: 500}
callers: {count: 3}
scenario: {type: hang, delay_ms: 5000, handler_cancellation: false}`))
		rec := l.mustRun(p)
		if got := Count(leaksOf(t, rec, "operation_deadline")); got != "0 goroutines, 0 connections, 0 dials, 0 slots, 6 handlers, 6 server connections" {
			t.Error(got)
		}
	})
}

// Dials live on when the operation that wanted them is over: net/http has three
// goroutines for each. They end with the client.
func TestDialsLiveOn(t *testing.T) {
	inLab(t, func(l *lab) {
		var dials atomic.Int64
		l.config = func(c *runner.Config) {
			c.Dial = func(ctx context.Context, network, addr string) (net.Conn, error) {
				if dials.Add(1) <= 40 {
					<-ctx.Done()
					return nil, context.Cause(ctx)
				}
				return l.net.DialContext(ctx, network, addr)
			}
		}
		p := l.plan(runner.Options{Repeats: 1, Operations: 2, NoWarmup: true}, "D", parse(t, `
operation: {budget_ms: 20, max_attempts: 1}
attempt: {total_ms: null, connect_ms: null, sock_connect_ms: null}
callers: {count: 20, share: [transport]}
scenario: {type: healthy}`))
		rec := l.mustRun(p)
		k := leaksOf(t, rec, "operation_deadline")
		if got := Count(k); got != "20 goroutines, 0 connections, 20 dials, 0 slots, 0 handlers, 0 server connections" {
			t.Error(got)
		}
		if probe, _ := first(rec.client[k.Probe], eventlog.OperationFinished); probe.Outcome != eventlog.Success {
			t.Errorf("probe: %s", kinds(rec.client[k.Probe]))
		}
	})
}

// A pool whose only connection was cancelled away under its callers still serves.
func TestWedgedPool(t *testing.T) {
	inLab(t, func(l *lab) {
		p := l.plan(runner.Options{Repeats: 1, Operations: 3}, "B D", parse(t, `
operation: {budget_ms: 1000, max_attempts: 1}
attempt: {total_ms: null, connect_ms: null}
pool: {limit: 1}
slots: 3
callers: {count: 20, share: [transport, slots], start_gap_ms: 7}
scenario: {type: cancel_in_http, trigger_event: operation_started, response_delay_ms: 50, delay_after_event_ms: 31}`))
		rec := l.mustRun(p)
		for _, c := range p.Cells {
			k := leaksOf(t, rec, c.Variant)
			if k.Goroutines+k.Connections+k.Dials+k.Slots > 0 {
				t.Errorf("%s: %s", c.Variant, Count(k))
			}
			if probe, _ := first(rec.client[k.Probe], eventlog.OperationFinished); probe.Outcome != eventlog.Success {
				t.Errorf("%s: %s", c.Variant, kinds(rec.client[k.Probe]))
			}
		}
	})
}

// The hard cap closes an operation's connections; its client is tried all the same.
func TestProbeAfterCap(t *testing.T) {
	inLab(t, func(l *lab) {
		p := l.plan(runner.Options{Repeats: 1, Operations: 1}, "G", parse(t, `
operation: {budget_ms: 100}
scenario: {type: hang, delay_ms: 60000}`))
		rec := l.mustRun(p)
		k := leaksOf(t, rec, "no_timeout")
		probe, _ := first(rec.client[k.Probe], eventlog.OperationFinished)
		if Count(k) != nothing || probe.Outcome != eventlog.Success {
			t.Errorf("%s, probe %s", Count(k), kinds(rec.client[k.Probe]))
		}
	})
}

// A run that is given up counts nothing, and leaves nothing.
func TestNoLeaksOfAbortedRun(t *testing.T) {
	inLab(t, func(l *lab) {
		ctx, cancel := context.WithTimeout(l.t.Context(), 500*time.Millisecond)
		defer cancel()
		result, err := l.run(ctx, l.plan(runner.Options{Repeats: 1, Operations: 3}, "D", load(t, "slow_headers")))
		if err != nil || !result.Interrupted {
			t.Fatalf("%+v, %v", result, err)
		}
		for _, e := range l.record().client[""] {
			if e.Kind == eventlog.LeaksCounted {
				t.Errorf("%+v", e.Leaks)
			}
		}
	})
}
