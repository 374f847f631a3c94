package app

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/deadlinelab/deadlinelab/internal/analysis"
	"github.com/deadlinelab/deadlinelab/internal/chart"
	"github.com/deadlinelab/deadlinelab/internal/clock"
	"github.com/deadlinelab/deadlinelab/internal/console"
	"github.com/deadlinelab/deadlinelab/internal/exit"
	"github.com/deadlinelab/deadlinelab/internal/lab"
	"github.com/deadlinelab/deadlinelab/internal/rundir"
	"github.com/deadlinelab/deadlinelab/internal/runner"
	"github.com/deadlinelab/deadlinelab/internal/scenario"
	"github.com/deadlinelab/deadlinelab/internal/term"
	"github.com/deadlinelab/deadlinelab/internal/variants"
)

// DemoOptions are the flags of `bench demo`.
type DemoOptions struct {
	lab.Elsewhere
	Scenario string
	Variants []string // none = the scenario's contrast, or D beside clients of one's own
	Clients  lab.ClientOptions
	Width    int
	Out      string // "" = the run directory is not kept
	Seed     int64
	Cap      time.Duration // hard cap of every operation; 0 = the scenario's own
}

// Demo runs one operation of each variant at once and draws them. Its code is
// 0 unless it could not run: it shows, it does not judge.
func Demo(ctx context.Context, s console.Streams, o DemoOptions) (int, error) {
	width, err := s.Width(o.Width, 100, 140)
	if err != nil {
		return 0, err
	}
	scenarios, err := lab.LoadScenarios([]string{o.Scenario})
	if err != nil {
		return 0, err
	}
	if err := lab.CapAt(scenarios, o.Cap); err != nil {
		return 0, err
	}
	from, err := o.Upstream(s)
	if err != nil {
		return 0, err
	}
	clk := clock.New()
	c, err := lab.StartClients(ctx, s, clk, o.Clients)
	if err != nil {
		return 0, err
	}
	defer c.Stop()
	plan, err := o.plan(scenarios, c)
	if err != nil {
		return 0, err
	}
	lab.NoteNotApplicable(s, plan)
	a, err := o.demonstrate(ctx, s, plan, from, clk)
	if err != nil {
		return 0, err
	}
	return exit.OK, draw(s, a, plan.Scenarios[0], term.Options{Width: width, ASCII: s.Ascii, Colour: s.Colours(s.Out)})
}

func draw(s console.Streams, a *analysis.Run, of *scenario.Scenario, o term.Options) error {
	for _, note := range a.ClockNotes() {
		fmt.Fprintln(s.Err, "note:", note)
	}
	subjects := chart.Subjects(a.Merged, nil)
	if len(subjects) == 0 {
		return &exit.Error{Code: exit.Incomplete, Err: errors.New("no operation was measured"), Hint: "`bench doctor` says what this machine can show"}
	}
	return term.Demo(s.Out, of, subjects, o)
}

// plan is one operation of each variant, without a warm-up: they run at once.
func (o DemoOptions) plan(scenarios []*scenario.Scenario, c *lab.Clients) (*runner.Plan, error) {
	vs, err := o.variants(scenarios[0], len(c.List) > 0)
	if err != nil {
		return nil, err
	}
	startup, err := scenario.Load(lab.StartUnder)
	if err != nil {
		return nil, err
	}
	plan, err := runner.NewPlan(scenarios, c.Alongside(vs), runner.Options{Seed: o.Seed, Repeats: 1, Operations: 1, NoWarmup: true, Startup: startup})
	if err != nil {
		return nil, exit.Usagef("", "%w", err)
	}
	return plan, nil
}

// besideClients is drawn beside clients of one's own, for comparison: it takes
// its deadline before everything else.
const besideClients = "operation_deadline"

// variants are the contrast, or those asked for; "all" means all that the
// scenario lists, since the others have no place in it.
func (o DemoOptions) variants(s *scenario.Scenario, clients bool) ([]variants.Variant, error) {
	names := o.Variants
	switch {
	case len(names) == 0 && clients:
		names = []string{besideClients}
	case len(names) == 0:
		names = s.Contrast
	}
	if len(names) == 1 && names[0] == "all" {
		names = s.Variants
	}
	return lab.FindVariants(names)
}

// directory is --out, or one that is removed afterwards.
func (o DemoOptions) directory() (dir *rundir.Dir, remove func(), err error) {
	if o.Out == "" {
		return lab.Scratch("demo")
	}
	dir, err = lab.CreateDir("demo", o.Out)
	return dir, func() {}, err
}

// demonstrate runs the plan and reads it back from its directory, on the very
// way that every run takes.
func (o DemoOptions) demonstrate(ctx context.Context, s console.Streams, plan *runner.Plan, from lab.UpstreamOptions, clk clock.Clock) (*analysis.Run, error) {
	if err := lab.EnoughFiles(rundir.OpenFiles(), plan.Total()); err != nil {
		return nil, err
	}
	dir, remove, err := o.directory()
	if err != nil {
		return nil, err
	}
	defer remove()
	u, err := lab.Connect(ctx, from)
	if err != nil {
		dir.GiveBack()
		return nil, err
	}
	defer u.Stop()
	u.Tell(s)
	startups, err := lab.RehearseStartups(ctx, s, plan, u)
	if err != nil {
		dir.GiveBack()
		return nil, err
	}
	lab.Announce(s, plan, plan.Total(), startups)
	m, err := lab.NewMeasurement(plan, dir, lab.MeasurementOptions{Clock: clk, Label: "demo"})
	if err != nil {
		return nil, exit.WriteError(err)
	}
	if err := m.Run(ctx, u); err != nil {
		return nil, o.ended(err, dir)
	}
	return m.Analyse()
}

// ended is why a demo did not get to its end. A directory that is removed is no
// place to send anybody to.
func (o DemoOptions) ended(why error, dir *rundir.Dir) error {
	if o.Out != "" {
		return incomplete(why, dir)
	}
	return &exit.Error{Code: exit.CodeOf(incomplete(why, dir)), Err: why, Hint: "a demo keeps its run directory only with --out"}
}
