package runner_test

import (
	"flag"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/deadlinelab/deadlinelab/internal/drawn"
	"github.com/deadlinelab/deadlinelab/internal/eventlog"
	"github.com/deadlinelab/deadlinelab/internal/predict"
	"github.com/deadlinelab/deadlinelab/internal/runner"
	"github.com/deadlinelab/deadlinelab/internal/scenario"
	"github.com/deadlinelab/deadlinelab/internal/variants"
)

var (
	drawnCount = flag.Int("drawn", 40, "how many scenarios are drawn at random")
	drawnSeed  = flag.Uint64("drawn-seed", 1, "seed of the first; each other has the next one")
)

// Whatever scenario is valid is run to its end, with nothing lost, and ends as
// its plan says: scripts/drawn.sh draws more of them.
func TestDrawnScenarios(t *testing.T) {
	for seed, n := *drawnSeed, 0; n < *drawnCount; seed++ {
		s := drawn.Scenario(seed, variantNames())
		o := runner.Options{Seed: 1, Repeats: 1, Operations: 2, NoWarmup: true}
		_, err := runner.NewPlan([]*scenario.Scenario{s}, nil, o)
		if err != nil && strings.Contains(err.Error(), "expected a clear winner") {
			continue // a tie, which no plan may have
		}
		n++
		t.Run(fmt.Sprintf("seed %d %s", seed, s.Type), func(t *testing.T) { asPlanned(t, s, o) })
	}
}

func variantNames() []string {
	var names []string
	for _, v := range variants.All() {
		names = append(names, v.Name)
	}
	return names
}

func asPlanned(t *testing.T, s *scenario.Scenario, o runner.Options) {
	defer func() {
		if t.Failed() {
			text, _ := scenario.Marshal(s)
			t.Logf("%s", text)
		}
	}()
	inLab(t, func(l *lab) {
		p := l.plan(o, "", s)
		rec := l.mustRun(p)
		computed := map[string]predict.Computation{}
		for _, c := range p.Computed() {
			computed[c.Variant.Name] = c
		}
		for _, it := range p.Items {
			eachAsPlanned(t, rec, it, computed[it.Variant])
		}
	})
}

// eachAsPlanned holds each caller of an item against the plan, where it says
// what becomes of that one.
func eachAsPlanned(t *testing.T, rec *record, it runner.Item, c predict.Computation) {
	for _, op := range it.Ops() {
		if _, ended := first(rec.client[op], eventlog.OperationFinished); !ended {
			t.Fatalf("%s has no end", op)
		}
	}
	switch {
	case c.Chance != "":
	case it.Callers == 1:
		same(t, rec, it, c)
	case c.Callers != nil && len(c.Paths) == 1:
		sameTogether(t, rec, it, c)
	}
}

// sameTogether compares all callers of an item. Which of those that start at one
// moment comes first is chance.
func sameTogether(t *testing.T, rec *record, it runner.Item, c predict.Computation) {
	var got, want []string
	for i, op := range it.Ops() {
		events, p := rec.client[op], c.Callers[i]
		end := events[len(events)-1]
		got = append(got, fmt.Sprint(time.Duration(end.TNs-events[0].TNs), " ", show(end.Outcome, end.Last,
			count(events, eventlog.AttemptStarted), count(rec.server[op], eventlog.ServerRequestStarted))))
		want = append(want, fmt.Sprint(p.Duration, " ", show(p.Outcome, p.Last, p.Attempts, p.Requests)))
	}
	if c.Scenario.Callers.StartGapMs == 0 {
		slices.Sort(got)
		slices.Sort(want)
	}
	if !slices.Equal(got, want) {
		t.Errorf("%s: callers end after %s\ncomputed %s", it.Variant, strings.Join(got, "; "), strings.Join(want, "; "))
	}
}
