package bench

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/deadlinelab/deadlinelab/internal/report"
	"github.com/deadlinelab/deadlinelab/internal/rundir"
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
	Arguments      []string // as typed, kept in run.json
	Parallel       string   // auto, or a number
	Out            string
	Require        string // "", kept or bounded
	OnInconclusive string // fail or warn
	Labserver      string // URL; "" = start one
	TokenFile      string
	Formats        []string // FORMAT or FORMAT=FILE
}

// Run measures and judges. The error is only for what prevented the run or
// ended it early; the code is the verdict's.
func Run(ctx context.Context, s Streams, o RunOptions) (int, error) {
	parallel, err := o.check()
	if err != nil {
		return 0, err
	}
	plan, err := o.plan()
	if err != nil {
		return 0, err
	}
	label := o.Label(plan.Scenarios)
	dir, err := rundir.Create(Results, label, o.Out, time.Now())
	if err != nil {
		return 0, Usagef("choose another --out, or remove the directory", "%w", err)
	}
	bar := newProgress(s)
	m, err := newMeasurement(plan, dir, measurementOptions{label: label, arguments: o.Arguments, parallel: parallel, require: o.Require, progress: bar.update})
	if err != nil {
		return 0, writeError(err)
	}
	ended := m.run(ctx, upstreamOptions{url: o.Labserver, tokenFile: o.TokenFile})
	bar.clear()
	return o.conclude(s, m, ended)
}

func (o RunOptions) check() (parallel int, err error) {
	if o.Require != "" && !slices.Contains(report.Requirements, o.Require) {
		return 0, Usagef("", "--require %q: expected %s", o.Require, strings.Join(report.Requirements, " or "))
	}
	if o.OnInconclusive != "fail" && o.OnInconclusive != "warn" {
		return 0, Usagef("", "--on-inconclusive %q: expected fail or warn", o.OnInconclusive)
	}
	if err := checkFormats(o.Formats); err != nil {
		return 0, err
	}
	if o.Parallel == "auto" {
		return 0, nil
	}
	parallel, err = strconv.Atoi(o.Parallel)
	if err != nil || parallel < 1 || parallel > maxParallel {
		return 0, Usagef("", "--parallel %q: expected auto or 1 to %d", o.Parallel, maxParallel)
	}
	return parallel, nil
}

// conclude analyses what was measured, prints the reports and finds the code.
func (o RunOptions) conclude(s Streams, m *measurement, ended error) (int, error) {
	if CodeOf(ended) == ExitUsage {
		return 0, ended // nothing ran
	}
	a, err := m.analyse()
	if err != nil {
		return 0, incomplete(errors.Join(ended, err), m.dir)
	}
	if err := a.printAll(s, o.Formats); err != nil {
		return 0, incomplete(errors.Join(ended, err), m.dir)
	}
	fmt.Fprintf(s.Err, "verdict %s: %s\n", a.summary.Verdict, m.dir.Join(rundir.SummaryFile))
	if ended != nil {
		return 0, incomplete(ended, m.dir)
	}
	return report.ExitCode(a.summary, o.OnInconclusive == "warn"), m.dir.Complete()
}

// incomplete gives a run's early end its code, unless it has one already.
func incomplete(ended error, dir *rundir.Dir) error {
	if code := CodeOf(ended); code != ExitInternal {
		return ended
	}
	code := ExitIncomplete
	if errors.Is(ended, errInterrupted) {
		code = ExitInterrupted
	}
	return &Error{Code: code, Err: ended, Hint: fmt.Sprintf("what was measured is in %s: `bench analyze %s` reads it", dir.Path(), dir.Path())}
}

func writeError(err error) error {
	return &Error{Code: ExitIncomplete, Err: err, Hint: "is the disk full, or the directory not writable?"}
}
