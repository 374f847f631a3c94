package runner_test

import (
	"testing"
	"time"

	"github.com/deadlinelab/deadlinelab/internal/eventlog"
	"github.com/deadlinelab/deadlinelab/internal/runner"
	"github.com/deadlinelab/deadlinelab/internal/scenario"
)

// Every scenario with every variant shows in virtual time exactly what its
// file expects and what the arithmetic computes: no tolerance.
func TestEveryScenarioExactly(t *testing.T) {
	scenarios := scenario.All()
	for _, file := range []string{"../scenario/testdata/pool_wait_connect_limit.yaml"} {
		scenarios = append(scenarios, load(t, file))
	}
	for _, s := range scenarios {
		t.Run(s.Name, func(t *testing.T) {
			inLab(t, func(l *lab) {
				p := l.plan(runner.Options{Seed: 1, Repeats: 1, Operations: 2}, "", s)
				rec := l.mustRun(p)
				computed := map[string]runner.Computation{}
				for _, c := range p.Arithmetic() {
					computed[c.Variant.Name] = c
				}
				for _, it := range p.Items {
					exact(t, rec, it, computed[it.Variant], s.Expect[it.Variant])
				}
			})
		})
	}
}

func exact(t *testing.T, rec *record, it runner.Item, c runner.Computation, want scenario.Expect) {
	t.Helper()
	events := rec.client[it.Op]
	start, ok := first(events, eventlog.OperationStarted)
	end, ended := first(events, eventlog.OperationFinished)
	if !ok || !ended {
		t.Errorf("%s: %s", it.Op, kinds(events))
		return
	}
	got := time.Duration(end.TNs - start.TNs)
	attempts, requests := count(events, eventlog.AttemptStarted), count(rec.server[it.Op], eventlog.ServerRequestStarted)
	if end.Outcome != c.Outcome || end.Last != c.Last || got != c.Duration || attempts != c.Attempts || requests != c.Requests {
		t.Errorf("%s: %s (%s) after %s, %d attempts, %d requests\ncomputed %s (%s) after %s, %d attempts, %d requests\n%s\n%s", it.Op,
			end.Outcome, end.Last, got, attempts, requests, c.Outcome, c.Last, c.Duration, c.Attempts, c.Requests, kinds(events), kinds(rec.server[it.Op]))
	}
	if *want.Outcome != end.Outcome || !want.Attempts.Holds(attempts) || !want.ServerRequests.Holds(requests) {
		t.Errorf("%s: %s, %d attempts, %d requests; expected %+v", it.Op, end.Outcome, attempts, requests, want)
	}
	if start.Start.DeadlineNs-start.TNs != int64(c.Scenario.Operation.BudgetMs*1e6) {
		t.Errorf("%s: deadline %d, t0 %d", it.Op, start.Start.DeadlineNs, start.TNs)
	}
	oneEndPerAttempt(t, it.Op, events)
}

func oneEndPerAttempt(t *testing.T, op string, events []eventlog.Event) {
	t.Helper()
	ends := map[int]int{}
	for _, e := range events {
		switch e.Kind {
		case eventlog.AttemptFinished, eventlog.AttemptTimedOut, eventlog.AttemptCancelled, eventlog.AttemptFailed:
			ends[e.Attempt]++
		}
	}
	for n := 1; n <= count(events, eventlog.AttemptStarted); n++ {
		if ends[n] != 1 {
			t.Errorf("%s: attempt %d has %d ends: %s", op, n, ends[n], kinds(events))
		}
	}
}
