package runner_test

import (
	"context"
	"sync"
	"testing"
	"time"

	"github.com/deadlinelab/deadlinelab/internal/eventlog"
	"github.com/deadlinelab/deadlinelab/internal/runner"
	"github.com/deadlinelab/deadlinelab/internal/scenario"
	"github.com/deadlinelab/deadlinelab/internal/variants"
)

// sleeper ends each call after took, and notes how much of the machine is taken
// at most by all that share use.
type sleeper struct {
	took time.Duration
	use  *use
	part int
}

type use struct {
	mu        sync.Mutex
	now, most int
}

func (u *use) take(part int) {
	u.mu.Lock()
	defer u.mu.Unlock()
	u.now += part
	u.most = max(u.most, u.now)
}

func (s sleeper) Call(_ context.Context, c *variants.Call) variants.Ending {
	s.use.take(s.part)
	defer s.use.take(-s.part)
	c.Began(time.Now())
	time.Sleep(s.took)
	return variants.Ending{Outcome: eventlog.DeadlineExceeded, At: time.Now()}
}

func (sleeper) Forget(string) {}

// startedAnew is an exec client of which so many may run at once.
func startedAnew(name string, atOnce int, took time.Duration, u *use) variants.Variant {
	f := &variants.External{Kind: eventlog.ExecClient, AtOnce: atOnce, Caller: sleeper{took, u, 12 / atOnce}}
	return variants.Variant{Name: name, Label: name, External: f}
}

// Clients that are a process per operation share the machine: where one bears
// no other process beside its own, none of another client runs either.
func TestProcessesShareTheMachine(t *testing.T) {
	inLab(t, func(l *lab) {
		u := &use{}
		heavy, light, medium := startedAnew("heavy", 1, 600*time.Millisecond, u), startedAnew("light", 4, 300*time.Millisecond, u), startedAnew("medium", 2, 300*time.Millisecond, u)
		p, err := runner.NewPlan([]*scenario.Scenario{load(t, "slow_headers")}, []variants.Variant{heavy, light, medium}, runner.Options{Repeats: 2, Operations: 6, Startup: load(t, "healthy")})
		if err != nil {
			t.Fatal(err)
		}
		l.mustRun(p)
		if u.most != 12 {
			t.Errorf("%d twelfths of the machine were taken at most, expected all of them and no more", u.most)
		}
	})
}

// A run lasts as long as was said before it.
func TestLasts(t *testing.T) {
	for _, c := range []struct {
		name     string
		parallel int
		plan     func(l *lab) *runner.Plan
		startups map[string]time.Duration
		most     time.Duration // 0 = as long as expected
	}{
		{"one after another", 1, func(l *lab) *runner.Plan {
			return l.plan(runner.Options{Repeats: 1, Operations: 4}, "A B D", load(t, "slow_headers"), load(t, "healthy"))
		}, nil, 0},
		{"five at once", 5, func(l *lab) *runner.Plan {
			return l.plan(runner.Options{Repeats: 2, Operations: 7}, "A B C D", load(t, "slow_headers"), load(t, "semaphore_wait"), load(t, "hang"))
		}, nil, 0},
		{"all at once", 200, func(l *lab) *runner.Plan {
			return l.plan(runner.Options{Repeats: 3, Operations: 10}, "B D", load(t, "transient_error"), load(t, "slow_body"))
		}, nil, 0},
		{"a process per operation", 50, func(l *lab) *runner.Plan {
			v := startedAnew("mine", 2, 1200*time.Millisecond, &use{})
			return l.foreignPlan(runner.Options{Repeats: 1, Operations: 9, NoWarmup: true}, v, load(t, "slow_headers"))
		}, map[string]time.Duration{"mine": 200 * time.Millisecond}, 40 * time.Second},
	} {
		t.Run(c.name, func(t *testing.T) {
			inLab(t, func(l *lab) {
				l.config = func(cfg *runner.Config) { cfg.Parallel = c.parallel }
				p := c.plan(l)
				said := p.Lasts(c.parallel, c.startups)
				began := time.Now()
				l.mustRun(p)
				if took := time.Since(began); (took - said.About).Abs() > took/20+350*time.Millisecond {
					t.Errorf("it took %s, said before: %s", took, said.About)
				}
				if want := max(c.most, said.About); said.Most != want {
					t.Errorf("it may take %s, expected %s", said.Most, want)
				}
			})
		})
	}
}
