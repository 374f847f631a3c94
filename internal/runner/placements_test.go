package runner_test

import (
	"fmt"
	"testing"
	"time"

	"github.com/deadlinelab/deadlinelab/internal/eventlog"
	"github.com/deadlinelab/deadlinelab/internal/runner"
	"github.com/deadlinelab/deadlinelab/internal/scenario"
	"github.com/deadlinelab/deadlinelab/internal/variants"
)

// Every placement shows in virtual time exactly what the arithmetic computes,
// in the scenarios that do not list it too.
func TestEveryPlacementAsComputed(t *testing.T) {
	for _, s := range scenario.Core() {
		t.Run(s.Name, func(t *testing.T) {
			for _, v := range placements(t, s) {
				asComputed(t, s, v)
			}
		})
	}
}

// placements are the variants whose path through s does not hang on a tie.
func placements(t *testing.T, s *scenario.Scenario) []variants.Variant {
	var list []variants.Variant
	for _, v := range variants.All() {
		c := runner.Compute(s, v)
		if len(c.Ties) > 0 {
			t.Logf("%s: %+v", v.Name, c.Ties)
			continue
		}
		if v.Listed {
			list = append(list, v)
		}
	}
	return list
}

// asComputed runs one operation in a lab of its own.
func asComputed(t *testing.T, s *scenario.Scenario, v variants.Variant) {
	t.Helper()
	inLab(t, func(l *lab) {
		p := l.plan(runner.Options{Seed: 1, Repeats: 1, Operations: 1, NoWarmup: true}, v.Name, s)
		rec := l.mustRun(p)
		it, c := p.Items[0], p.Arithmetic()[0]
		events := rec.client[it.Op]
		start, _ := first(events, eventlog.OperationStarted)
		end, _ := first(events, eventlog.OperationFinished)
		attempts, requests := count(events, eventlog.AttemptStarted), count(rec.server[it.Op], eventlog.ServerRequestStarted)
		got := show(end.Outcome, end.Last, time.Duration(end.TNs-start.TNs), attempts, requests)
		if want := show(c.Outcome, c.Last, c.Duration, c.Attempts, c.Requests); got != want {
			t.Errorf("%s: %s\ncomputed %s\n%s\n%v\n%s", v.Name, got, want, kinds(events), c.Steps, end.Error)
		}
		oneEndPerAttempt(t, it.Op, events)
	})
}

func show(outcome, last eventlog.Outcome, d time.Duration, attempts, requests int) string {
	return fmt.Sprintf("%s (%s) after %s, %d attempts, %d requests", outcome, last, d, attempts, requests)
}
