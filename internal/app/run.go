// Package app has the jobs that the commands offer: run, demo, plan, compare, doctor,
// serve and the lists. It prints nothing by itself: every job gets its streams and
// returns an exit code.
package app

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/deadlinelab/deadlinelab/internal/analysis"
	"github.com/deadlinelab/deadlinelab/internal/clock"
	"github.com/deadlinelab/deadlinelab/internal/console"
	"github.com/deadlinelab/deadlinelab/internal/exit"
	"github.com/deadlinelab/deadlinelab/internal/lab"
	"github.com/deadlinelab/deadlinelab/internal/rundir"
	"github.com/deadlinelab/deadlinelab/internal/runner"
	"github.com/deadlinelab/deadlinelab/internal/verdict"
)

// Latest is the link to the newest complete run.
const Latest = "results/latest"

// maxParallel bounds --parallel: beyond it two cores measure themselves.
const maxParallel = 2000

// RunOptions are the flags of `bench run`.
type RunOptions struct {
	lab.Selection
	lab.Elsewhere
	Clients        lab.ClientOptions
	Arguments      []string // as typed, kept in run.json
	Parallel       string   // auto, or a number
	Out            string
	Require        string   // "", kept or bounded
	OnInconclusive string   // fail or warn
	Formats        []string // FORMAT or FORMAT=FILE
}

// Run measures and judges. The error is only for what prevented the run or
// ended it early; the code is the verdict's.
func Run(ctx context.Context, s console.Streams, o RunOptions) (int, error) {
	parallel, from, err := o.check(s)
	if err != nil {
		return 0, err
	}
	clk := clock.New()
	c, err := lab.StartClients(ctx, s, clk, o.Clients)
	if err != nil {
		return 0, err
	}
	defer c.Stop()
	plan, err := o.PlanWith(c)
	if err != nil {
		return 0, err
	}
	u, err := lab.Connect(ctx, from)
	if err != nil {
		return 0, err
	}
	defer u.Stop()
	u.Tell(s)
	return o.measure(ctx, s, plan, u, clk, parallel)
}

// measure runs the plan into a directory of its own and judges it.
func (o RunOptions) measure(ctx context.Context, s console.Streams, plan *runner.Plan, u *lab.Upstream, clk clock.Clock, parallel int) (int, error) {
	label := o.Label(plan.Scenarios)
	c := lab.Choose(ctx, parallel)
	startups, err := lab.RehearseStartups(ctx, s, plan, u)
	if err != nil {
		return 0, err
	}
	dir, err := lab.CreateDir(label, o.Out)
	if err != nil {
		return 0, err
	}
	if c.Why != "" {
		fmt.Fprintf(s.Err, "note: --parallel %d, %s\n", c.Parallel, c.Why)
	}
	lab.Announce(s, plan, c.Parallel, startups)
	bar := console.NewProgress(s)
	m, err := lab.NewMeasurement(plan, dir, lab.MeasurementOptions{Clock: clk, Label: label, Arguments: o.Arguments, Parallel: c.Parallel, Why: c.Why, Require: o.Require, HardCap: o.Cap, Progress: bar.Update})
	if err != nil {
		return 0, exit.WriteError(err)
	}
	ended := m.Run(ctx, u)
	bar.Clear()
	return o.conclude(s, m, ended)
}

// check is what can be told before any process is started: how many operations
// may be in flight, and where labserver is.
func (o RunOptions) check(s console.Streams) (parallel int, from lab.UpstreamOptions, err error) {
	if err := o.checkFlags(); err != nil {
		return 0, from, err
	}
	if parallel, err = o.parallel(s); err != nil {
		return 0, from, err
	}
	if err := o.Readable(); err != nil {
		return 0, from, err
	}
	from, err = o.Upstream(s)
	return parallel, from, err
}

func (o RunOptions) checkFlags() error {
	if o.Require != "" && !slices.Contains(verdict.Requirements, o.Require) {
		return exit.Usagef("", "--require %q: expected %s", o.Require, strings.Join(verdict.Requirements, " or "))
	}
	if o.OnInconclusive != "fail" && o.OnInconclusive != "warn" {
		return exit.Usagef("", "--on-inconclusive %q: expected fail or warn", o.OnInconclusive)
	}
	return errors.Join(analysis.CheckFormats(o.Formats), analysis.CheckFiles(o.Formats, o.Out))
}

// parallel is how many operations may be in flight, 0 = as many as the machine bears.
func (o RunOptions) parallel(s console.Streams) (int, error) {
	asked := 0
	if o.Parallel != "auto" {
		var err error
		if asked, err = strconv.Atoi(o.Parallel); err != nil || asked < 1 || asked > maxParallel {
			return 0, exit.Usagef("", "--parallel %q: expected auto or 1 to %d", o.Parallel, maxParallel)
		}
	}
	parallel, note, err := lab.ParallelWithin(rundir.OpenFiles(), asked)
	if note != "" {
		fmt.Fprintln(s.Err, "note:", note)
	}
	return parallel, err
}

// conclude analyses what was measured, prints the reports and finds the code.
// A report that could not be printed does not make the run less complete.
func (o RunOptions) conclude(s console.Streams, m *lab.Measurement, ended error) (int, error) {
	a, err := m.Analyse()
	if a == nil {
		return 0, incomplete(errors.Join(ended, err), m.Dir)
	}
	if ended == nil {
		ended = err
	}
	if ended == nil {
		err = m.Dir.Complete()
	}
	if failed := a.PrintAll(s, o.Formats); failed != nil {
		err = fmt.Errorf("the report could not be written: %w", failed)
	}
	m.SayVerdict(s, a)
	switch failed := a.ServerFailed(); {
	case failed != nil:
		return 0, failed
	case ended != nil:
		return 0, incomplete(ended, m.Dir)
	case err != nil:
		return 0, exit.Usagef(fmt.Sprintf("the run is complete: `bench report %s` prints it", m.Dir.Path()), "%w", err)
	}
	return verdict.ExitCode(a.Summary, o.OnInconclusive == "warn"), nil
}

// incomplete gives a run's early end its code, unless it has one already.
func incomplete(ended error, dir *rundir.Dir) error {
	code := exit.CodeOf(ended)
	if code == exit.Internal {
		code = exit.Incomplete
	}
	if errors.Is(ended, lab.ErrInterrupted) {
		code = exit.Interrupted
	}
	return &exit.Error{Code: code, Err: ended, Hint: fmt.Sprintf("what was measured is in %s: `bench report %s` reads it", dir.Path(), dir.Path())}
}
