package runner_test

import (
	"context"
	"slices"
	"testing"
	"time"

	"github.com/deadlinelab/deadlinelab/internal/chart"
	"github.com/deadlinelab/deadlinelab/internal/eventlog"
	"github.com/deadlinelab/deadlinelab/internal/predict"
	"github.com/deadlinelab/deadlinelab/internal/runner"
	"github.com/deadlinelab/deadlinelab/internal/scenario"
	"github.com/deadlinelab/deadlinelab/internal/timeline"
	"github.com/deadlinelab/deadlinelab/internal/variants"
)

// mutations are what goes wrong in a client, each applied to any variant.
var mutations = []struct {
	name string
	of   func(variants.Do) variants.Do
}{
	{"as it is", func(do variants.Do) variants.Do { return do }},
	{"its deadline moved below the semaphore", func(do variants.Do) variants.Do {
		return func(ctx context.Context, env *variants.Env) (variants.Response, error) {
			if err := env.Slots.Acquire(ctx); err != nil {
				return variants.Response{}, err
			}
			defer env.Slots.Release()
			below := *env
			below.Start, below.Slots = time.Now(), freely{}
			return do(ctx, &below)
		}
	}},
	{"its budget half as long again", budgets(3, 2)},
	{"its budget a third", budgets(1, 3)},
	{"slow to return", func(do variants.Do) variants.Do {
		return func(ctx context.Context, env *variants.Env) (variants.Response, error) {
			defer time.Sleep(300 * time.Millisecond)
			return do(ctx, env)
		}
	}},
	{"made twice", func(do variants.Do) variants.Do {
		return func(ctx context.Context, env *variants.Env) (variants.Response, error) {
			if _, err := do(ctx, env); err != nil {
				return variants.Response{}, err
			}
			return do(ctx, env)
		}
	}},
	{"ignores its caller for a second", func(do variants.Do) variants.Do {
		return func(ctx context.Context, env *variants.Env) (variants.Response, error) {
			unbound, cancel := context.WithTimeoutCause(context.WithoutCancel(ctx), 4*time.Second, variants.ErrCap)
			defer cancel()
			return do(unbound, env)
		}
	}},
	{"says deadline_exceeded of any error", outcome(eventlog.DeadlineExceeded)},
	{"says cancelled of any error", outcome(eventlog.Cancelled)},
	{"says success without a call", func(variants.Do) variants.Do {
		return func(_ context.Context, env *variants.Env) (variants.Response, error) {
			time.Sleep(1200 * time.Millisecond)
			return variants.Response{Status: 200, Body: []byte(env.Marker)}, nil
		}
	}},
}

// freely is no admission at all.
type freely struct{}

func (freely) Acquire(context.Context) error { return nil }
func (freely) TryAcquire() bool              { return true }
func (freely) Release()                      {}

func budgets(times, of time.Duration) func(variants.Do) variants.Do {
	return func(do variants.Do) variants.Do {
		return func(ctx context.Context, env *variants.Env) (variants.Response, error) {
			changed := *env
			changed.Policy.Budget = env.Policy.Budget * times / of
			return do(ctx, &changed)
		}
	}
}

func outcome(o eventlog.Outcome) func(variants.Do) variants.Do {
	return func(do variants.Do) variants.Do {
		return func(ctx context.Context, env *variants.Env) (variants.Response, error) {
			r, err := do(ctx, env)
			if err != nil {
				return r, &variants.Error{Outcome: o, Err: err}
			}
			return r, nil
		}
	}
}

// mostCallers are enough to tell what callers of one client are told.
const mostCallers = 20

// What a person is told of an operation, in its sentence and in the labels of
// its drawing, follows from its own events: of every variant under every
// scenario, as it is and broken in every way.
func TestWhatIsToldHolds(t *testing.T) {
	for _, m := range mutations {
		scenarios := scenario.Core()
		if m.name == "as it is" {
			scenarios = slices.DeleteFunc(scenario.All(), func(s *scenario.Scenario) bool { return s.CallersOf() > mostCallers })
		}
		for _, s := range scenarios {
			t.Run(m.name+"/"+s.Name, func(t *testing.T) {
				inLab(t, func(l *lab) { told(l, mutants(s, m.of), s) })
			})
		}
	}
}

// mutants are all variants whose path through s does not hang on a tie.
func mutants(s *scenario.Scenario, of func(variants.Do) variants.Do) []variants.Variant {
	var list []variants.Variant
	for _, v := range variants.All() {
		if len(predict.Compute(s, v).Ties) == 0 {
			v.Do = of(v.Do)
			list = append(list, v)
		}
	}
	return list
}

func told(l *lab, vs []variants.Variant, s *scenario.Scenario) {
	p, err := runner.NewPlan([]*scenario.Scenario{s}, vs, runner.Options{Seed: 1, Repeats: 1, Operations: 1, NoWarmup: true})
	if err != nil {
		l.t.Fatal(err)
	}
	l.mustRun(p)
	var server []eventlog.Event
	for _, list := range l.record().server {
		server = append(server, list...)
	}
	for _, subject := range chart.Subjects(timeline.Merge(timeline.Input{Client: l.recorder.Read(0, 0), Server: server}), nil) {
		check(l.t, subject)
	}
}
