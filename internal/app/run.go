package app

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/deadlinelab/deadlinelab/internal/clock"
	"github.com/deadlinelab/deadlinelab/internal/rundir"
	"github.com/deadlinelab/deadlinelab/internal/runner"
	"github.com/deadlinelab/deadlinelab/internal/timeline"
	"github.com/deadlinelab/deadlinelab/internal/verdict"
)

// Results is where run directories go unless --out says otherwise; Latest is
// the link to the newest complete one.
const (
	Results = "results"
	Latest  = "results/latest"
)

// maxParallel bounds --parallel: beyond it two cores measure themselves.
const maxParallel = 2000

// RunOptions are the flags of `bench run`.
type RunOptions struct {
	Selection
	Elsewhere
	Clients        ClientOptions
	Arguments      []string // as typed, kept in run.json
	Parallel       string   // auto, or a number
	Out            string
	Require        string   // "", kept or bounded
	OnInconclusive string   // fail or warn
	Formats        []string // FORMAT or FORMAT=FILE
}

// Run measures and judges. The error is only for what prevented the run or
// ended it early; the code is the verdict's.
func Run(ctx context.Context, s Streams, o RunOptions) (int, error) {
	parallel, from, err := o.check(s)
	if err != nil {
		return 0, err
	}
	clk := clock.New()
	c, err := startClients(ctx, s, clk, o.Clients)
	if err != nil {
		return 0, err
	}
	defer c.stop()
	plan, err := o.planWith(c)
	if err != nil {
		return 0, err
	}
	u, err := connect(ctx, from)
	if err != nil {
		return 0, err
	}
	defer u.stop()
	u.tell(s)
	return o.measure(ctx, s, plan, u, clk, parallel)
}

// measure runs the plan into a directory of its own and judges it.
func (o RunOptions) measure(ctx context.Context, s Streams, plan *runner.Plan, u *upstream, clk clock.Clock, parallel int) (int, error) {
	label := o.Label(plan.Scenarios)
	c := choose(ctx, parallel)
	startups, err := rehearseStartups(ctx, s, plan, u)
	if err != nil {
		return 0, err
	}
	dir, err := createDir(label, o.Out)
	if err != nil {
		return 0, err
	}
	if c.why != "" {
		fmt.Fprintf(s.Err, "note: --parallel %d, %s\n", c.parallel, c.why)
	}
	announce(s, plan, c.parallel, startups)
	bar := newProgress(s)
	m, err := newMeasurement(plan, dir, measurementOptions{clock: clk, label: label, arguments: o.Arguments, parallel: c.parallel, why: c.why, require: o.Require, hardCap: o.Cap, progress: bar.update})
	if err != nil {
		return 0, writeError(err)
	}
	ended := m.run(ctx, u)
	bar.clear()
	return o.conclude(s, m, ended)
}

// check is what can be told before any process is started: how many operations
// may be in flight, and where labserver is.
func (o RunOptions) check(s Streams) (parallel int, from upstreamOptions, err error) {
	if err := o.checkFlags(); err != nil {
		return 0, from, err
	}
	if parallel, err = o.parallel(s); err != nil {
		return 0, from, err
	}
	if err := o.readable(); err != nil {
		return 0, from, err
	}
	from, err = o.upstream(s)
	return parallel, from, err
}

func (o RunOptions) checkFlags() error {
	if o.Require != "" && !slices.Contains(verdict.Requirements, o.Require) {
		return Usagef("", "--require %q: expected %s", o.Require, strings.Join(verdict.Requirements, " or "))
	}
	if o.OnInconclusive != "fail" && o.OnInconclusive != "warn" {
		return Usagef("", "--on-inconclusive %q: expected fail or warn", o.OnInconclusive)
	}
	return errors.Join(checkFormats(o.Formats), checkFiles(o.Formats, o.Out))
}

// parallel is how many operations may be in flight, 0 = as many as the machine bears.
func (o RunOptions) parallel(s Streams) (int, error) {
	asked := 0
	if o.Parallel != "auto" {
		var err error
		if asked, err = strconv.Atoi(o.Parallel); err != nil || asked < 1 || asked > maxParallel {
			return 0, Usagef("", "--parallel %q: expected auto or 1 to %d", o.Parallel, maxParallel)
		}
	}
	parallel, note, err := parallelWithin(rundir.OpenFiles(), asked)
	if note != "" {
		fmt.Fprintln(s.Err, "note:", note)
	}
	return parallel, err
}

// conclude analyses what was measured, prints the reports and finds the code.
// A report that could not be printed does not make the run less complete.
func (o RunOptions) conclude(s Streams, m *measurement, ended error) (int, error) {
	a, err := m.analyse()
	if a == nil {
		return 0, incomplete(errors.Join(ended, err), m.dir)
	}
	if ended == nil {
		ended = err
	}
	if ended == nil {
		err = m.dir.Complete()
	}
	if failed := a.printAll(s, o.Formats); failed != nil {
		err = fmt.Errorf("the report could not be written: %w", failed)
	}
	m.sayVerdict(s, a)
	switch failed := a.serverFailed(); {
	case failed != nil:
		return 0, failed
	case ended != nil:
		return 0, incomplete(ended, m.dir)
	case err != nil:
		return 0, Usagef(fmt.Sprintf("the run is complete: `bench report %s` prints it", m.dir.Path()), "%w", err)
	}
	return verdict.ExitCode(a.summary, o.OnInconclusive == "warn"), nil
}

// sayVerdict is what a run says beside its reports: how far to trust it, and
// where it is kept.
func (m *measurement) sayVerdict(s Streams, a *analysis) {
	for _, note := range a.clockNotes() {
		fmt.Fprintln(s.Err, "note:", note)
	}
	noteFailedStartups(s, m.plan, a.merged)
	fmt.Fprintln(s.Err, a.verdictLine())
	if isTerminal(s.Err) {
		fmt.Fprintf(s.Err, "next: bench report %s --format html -o report.html\n", m.dir.Path())
	}
}

// serverFailed is an error where labserver panicked: the operation is invalid
// and the others count, but the fault is not the client's.
func (a *analysis) serverFailed() error {
	for _, p := range a.merged.Problems {
		if p.Requirement == timeline.ServerHolds {
			return &Error{Code: ExitInternal, Err: fmt.Errorf("labserver failed: %s", p),
				Hint: fmt.Sprintf("this is a defect of labserver; please report it with %s. The other operations count", a.dir.Path())}
		}
	}
	return nil
}

// incomplete gives a run's early end its code, unless it has one already.
func incomplete(ended error, dir *rundir.Dir) error {
	code := CodeOf(ended)
	if code == ExitInternal {
		code = ExitIncomplete
	}
	if errors.Is(ended, errInterrupted) {
		code = ExitInterrupted
	}
	return &Error{Code: code, Err: ended, Hint: fmt.Sprintf("what was measured is in %s: `bench report %s` reads it", dir.Path(), dir.Path())}
}

// writeError is a file of the run directory that could not be written.
func writeError(err error) error {
	return &Error{Code: ExitIncomplete, Err: err, Hint: "is the disk full, or the directory not writable?"}
}
