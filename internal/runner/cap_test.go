package runner_test

import (
	"testing"
	"time"

	"github.com/deadlinelab/deadlinelab/internal/eventlog"
	"github.com/deadlinelab/deadlinelab/internal/fault"
	"github.com/deadlinelab/deadlinelab/internal/runner"
)

// The hard cap is the scenario's own where it names one: a client that ends
// later by itself is seen to end.
func TestHardCap(t *testing.T) {
	for _, c := range []struct {
		delayMs float64 // of the server's answer
		capMs   *float64
		outcome eventlog.Outcome
		after   time.Duration
	}{
		{60_000, nil, eventlog.CapReached, 8 * time.Second},
		{60_000, new(1500.), eventlog.CapReached, 1500 * time.Millisecond},
		{10_000, nil, eventlog.CapReached, 8 * time.Second},
		{10_000, new(12_000.5), eventlog.Success, 10 * time.Second},
	} {
		inLab(t, func(l *lab) {
			s := *load(t, "healthy")
			s.Fault = &fault.Healthy{Common: fault.Common{HandlerStops: true}, ResponseDelayMs: c.delayMs}
			s.CapMs = c.capMs
			p := l.plan(runner.Options{Repeats: 1, Operations: 1, NoWarmup: true}, "G", &s)
			if got := p.Cells[0].Computed; got.Outcome != c.outcome || got.Duration != c.after {
				t.Errorf("computed %s after %s, want %s after %s", got.Outcome, got.Duration, c.outcome, c.after)
			}
			events := l.mustRun(p).client[p.Items[0].Op]
			end, _ := first(events, eventlog.OperationFinished)
			if after := time.Duration(end.TNs - events[0].TNs); end.Outcome != c.outcome || after != c.after {
				t.Errorf("%s after %s, want %s after %s", end.Outcome, after, c.outcome, c.after)
			}
		})
	}
}
