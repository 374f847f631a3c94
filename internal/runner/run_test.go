package runner_test

import (
	"testing"
	"time"

	"github.com/deadlinelab/deadlinelab/internal/eventlog"
	"github.com/deadlinelab/deadlinelab/internal/predict"
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
				computed := map[string]predict.Computation{}
				for _, c := range p.Computed() {
					computed[c.Variant.Name] = c
				}
				for _, it := range p.Items {
					for _, op := range it.Ops() {
						exact(t, rec, op, computed[it.Variant], s.Expect[it.Variant])
					}
				}
			})
		})
	}
}

func exact(t *testing.T, rec *record, op string, c predict.Computation, want scenario.Expect) {
	t.Helper()
	events := rec.client[op]
	start, ok := first(events, eventlog.OperationStarted)
	end, ended := first(events, eventlog.OperationFinished)
	if !ok || !ended {
		t.Errorf("%s: %s", op, kinds(events))
		return
	}
	got := time.Duration(end.TNs - start.TNs)
	attempts, requests := count(events, eventlog.AttemptStarted), count(rec.server[op], eventlog.ServerRequestStarted)
	if !raced(c.Scenario, want) && (end.Outcome != c.Outcome || end.Last != c.Last || got != c.Duration || attempts != c.Attempts || requests != c.Requests) {
		t.Errorf("%s: %s (%s) after %s, %d attempts, %d requests\ncomputed %s (%s) after %s, %d attempts, %d requests\n%s\n%s", op,
			end.Outcome, end.Last, got, attempts, requests, c.Outcome, c.Last, c.Duration, c.Attempts, c.Requests, kinds(events), kinds(rec.server[op]))
	}
	if want.Outcome != nil && *want.Outcome != end.Outcome || !holds(want.Attempts, attempts) || !holds(want.ServerRequests, requests) {
		t.Errorf("%s: %s, %d attempts, %d requests; expected %+v", op, end.Outcome, attempts, requests, want)
	}
	if time.Duration(start.Start.DeadlineNs-start.TNs) != budgetOf(c.Scenario) {
		t.Errorf("%s: deadline %d, t0 %d", op, start.Start.DeadlineNs, start.TNs)
	}
	oneEndPerAttempt(t, op, events)
}

// raced tells whether no single path is that of every operation: the file gives
// a count or outcome room, or a jitter is drawn, or callers queue.
func raced(s *scenario.Scenario, want scenario.Expect) bool {
	open := func(c *scenario.Count) bool { return c == nil || c.Min != nil || c.Max != nil }
	return s.Operation.Jitter != nil || s.CallersQueue() || want.Outcome == nil || open(want.Attempts) || open(want.ServerRequests)
}

func holds(c *scenario.Count, n int) bool { return c == nil || c.Holds(n) }

// budgetOf is the budget, or the caller's own if that is less.
func budgetOf(s *scenario.Scenario) time.Duration {
	ms := s.Operation.BudgetMs
	if s.CallerDeadlineMs != nil {
		ms = min(ms, *s.CallerDeadlineMs)
	}
	return time.Duration(ms * 1e6)
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
