package app

import (
	"context"
	"sync"
	"time"

	"github.com/deadlinelab/deadlinelab/internal/exit"
	"github.com/deadlinelab/deadlinelab/internal/lab"
	"github.com/deadlinelab/deadlinelab/internal/rundir"
	"github.com/deadlinelab/deadlinelab/internal/runner"
	"github.com/deadlinelab/deadlinelab/internal/scenario"
	"github.com/deadlinelab/deadlinelab/internal/serve"
)

// liveLab is where the page's runs take place: one labserver for all of them, in
// which each has an experiment of its own, and a run directory for each, which
// is read back and removed.
type liveLab struct {
	mu  sync.Mutex
	lab *lab.Upstream
}

// upstream is the labserver; one that died is replaced.
func (t *liveLab) upstream(ctx context.Context) (*lab.Upstream, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.lab != nil {
		select {
		case <-t.lab.Lost():
		default:
			return t.lab, nil
		}
	}
	lab, err := lab.Connect(ctx, lab.UpstreamOptions{})
	if err != nil {
		return nil, err
	}
	t.lab = lab
	return lab, nil
}

func (t *liveLab) stop() {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.lab != nil {
		t.lab.Stop()
	}
}

// measure runs an order on the way that every run takes.
func (t *liveLab) measure(ctx context.Context, o serve.Order) (*serve.Measured, error) {
	plan, err := contrastPlan(o.Scenario, o.Operations)
	if err != nil {
		return nil, err
	}
	dir, remove, err := lab.Scratch("serve")
	if err != nil {
		return nil, err
	}
	defer remove()
	return t.measureInto(ctx, plan, dir, o)
}

func (t *liveLab) measureInto(ctx context.Context, plan *runner.Plan, dir *rundir.Dir, o serve.Order) (*serve.Measured, error) {
	m, err := lab.NewMeasurement(plan, dir, lab.MeasurementOptions{Label: "serve", Live: o.Live, Parallel: paced(plan)})
	if err != nil {
		return nil, exit.WriteError(err)
	}
	lab, err := t.upstream(ctx)
	if err != nil {
		return nil, m.Close(err)
	}
	if err := m.Close(m.Record(ctx, lab)); err != nil {
		return nil, err
	}
	a, err := m.Analyse()
	if err != nil {
		return nil, err
	}
	return &serve.Measured{Run: a.Merged, Summary: a.Summary}, nil
}

// contrastPlan runs both contrast variants at once, without a warm-up, as
// `bench demo` does.
func contrastPlan(s *scenario.Scenario, operations int) (*runner.Plan, error) {
	vs, err := lab.FindVariants(s.Contrast)
	if err != nil {
		return nil, err
	}
	return runner.NewPlan([]*scenario.Scenario{s}, vs, runner.Options{Seed: 1, Repeats: 1, Operations: operations, NoWarmup: true})
}

// A run of many operations is to be watched: their dots appear over about
// watchedFor, not all at one moment, as they would if all ran at once.
const (
	watchedFor    = 6 * time.Second
	leastParallel = 4
)

// paced is how many operations of a plan run at once.
func paced(plan *runner.Plan) int {
	var work time.Duration
	for _, c := range plan.Cells {
		work += c.Computed.Duration * time.Duration(plan.Repeats*plan.Operations)
	}
	return max(leastParallel, int(work/watchedFor))
}
