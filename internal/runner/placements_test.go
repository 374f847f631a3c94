package runner_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/deadlinelab/deadlinelab/internal/eventlog"
	"github.com/deadlinelab/deadlinelab/internal/fault"
	"github.com/deadlinelab/deadlinelab/internal/predict"
	"github.com/deadlinelab/deadlinelab/internal/runner"
	"github.com/deadlinelab/deadlinelab/internal/scenario"
	"github.com/deadlinelab/deadlinelab/internal/variants"
)

// Every variant shows in virtual time exactly what the arithmetic computes, in
// the scenarios that do not list it too.
func TestEveryPlacementAsComputed(t *testing.T) {
	for _, s := range scenario.Core() {
		t.Run(s.Name, func(t *testing.T) { asComputed(t, s) })
	}
}

// What every variant shows under every fault is what the arithmetic computes:
// outcome, duration, attempts and requests.
func TestEveryFaultAsComputed(t *testing.T) {
	for _, name := range fault.Names() {
		s, err := scenario.Parse("walk.yaml", []byte(fmt.Sprintf(faultScenario, name+extra[name])))
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		t.Run(name, func(t *testing.T) { asComputed(t, s) })
	}
}

// extra is what a fault needs beside its defaults: the handler of unread_body
// cannot see its client leave, and must end with its run.
var extra = map[string]string{"unread_body": ", hold_ms: 2505}\nmethod: POST\nbody_bytes: 8388608\n#"}

const faultScenario = `
name: walk
question: What does the arithmetic say?
lesson: The same as the wire.
contrast: [attempt_timeout, operation_deadline]
operation: {budget_ms: 1030, max_attempts: 3, backoff_ms: [110], retryable_statuses: [503], retryable_failures: [attempt_timeout, transport_error]}
attempt: {total_ms: 470, connect_ms: 333, sock_connect_ms: 313, sock_read_ms: 205}
slots: 1
pool: {limit: 1}
scenario: {type: %s}
variants: [attempt_timeout, operation_deadline]
expect: {attempt_timeout: {outcome: success}, operation_deadline: {outcome: success}}
`

// withoutTies lists the variants whose path through s hangs neither on a tie nor
// on chance.
func withoutTies(s *scenario.Scenario) string {
	var names []string
	for _, v := range variants.All() {
		if c := predict.Compute(s, v); len(c.Ties) == 0 && c.Chance == "" {
			names = append(names, v.Name)
		}
	}
	return strings.Join(names, " ")
}

// asComputed runs one operation of each variant in one lab.
func asComputed(t *testing.T, s *scenario.Scenario) {
	t.Helper()
	inLab(t, func(l *lab) {
		p := l.plan(runner.Options{Seed: 1, Repeats: 1, Operations: 1, NoWarmup: true}, withoutTies(s), s)
		rec := l.mustRun(p)
		computed := map[string]predict.Computation{}
		for _, c := range p.Computed() {
			computed[c.Variant.Name] = c
		}
		for _, it := range p.Items {
			same(t, rec, it, computed[it.Variant])
		}
	})
}

// same holds an operation against the paths that are computed for it: with a
// range of waits, it ends as one of them does, no earlier and no later than all.
func same(t *testing.T, rec *record, it runner.Item, c predict.Computation) {
	t.Helper()
	events := rec.client[it.Op]
	start, _ := first(events, eventlog.OperationStarted)
	end, _ := first(events, eventlog.OperationFinished)
	attempts, requests := count(events, eventlog.AttemptStarted), count(rec.server[it.Op], eventlog.ServerRequestStarted)
	took := time.Duration(end.TNs - start.TNs)
	got := show(end.Outcome, end.Last, attempts, requests)
	least, most, found := c.Duration, c.Duration, false
	for _, p := range c.Paths {
		least, most = min(least, p.Duration), max(most, p.Duration)
		found = found || got == show(p.Outcome, p.Last, p.Attempts, p.Requests)
	}
	if !found || took < least || took > most {
		t.Errorf("%s: %s after %s\ncomputed %s after %s … %s\n%s\n%v\n%s", it.Variant, got, took,
			show(c.Outcome, c.Last, c.Attempts, c.Requests), least, most, kinds(events), c.Steps, end.Error)
	}
	oneEndPerAttempt(t, it.Op, events)
}

func show(outcome, last eventlog.Outcome, attempts, requests int) string {
	return fmt.Sprintf("%s (%s), %d attempts, %d requests", outcome, last, attempts, requests)
}
