package app

import (
	"context"
	"encoding/json"
	"fmt"
	"runtime"
	"strings"

	"github.com/deadlinelab/deadlinelab/internal/console"
	"github.com/deadlinelab/deadlinelab/internal/control"
	"github.com/deadlinelab/deadlinelab/internal/doctor"
	"github.com/deadlinelab/deadlinelab/internal/exit"
	"github.com/deadlinelab/deadlinelab/internal/lab"
	"github.com/deadlinelab/deadlinelab/internal/rundir"
)

// DoctorOptions are the flags of `bench doctor`.
type DoctorOptions struct {
	Seconds float64 // about how long to measure
	JSON    bool
}

// The range of --seconds.
const (
	leastSeconds = 1
	mostSeconds  = 600
)

// Doctor measures what this machine can show and prints it. The code is 12
// when a run here could not be judged.
func Doctor(ctx context.Context, s console.Streams, o DoctorOptions) (int, error) {
	if !(o.Seconds >= leastSeconds && o.Seconds <= mostSeconds) {
		return 0, exit.Usagef("", "--seconds %g: expected %d to %d", o.Seconds, leastSeconds, mostSeconds)
	}
	if err := lab.EnoughToExamine(rundir.OpenFiles()); err != nil {
		return 0, err
	}
	machine := thisMachine() // before the measurement makes a load of its own
	u, err := lab.Connect(ctx, lab.UpstreamOptions{})
	if err != nil {
		return 0, err
	}
	defer u.Stop()
	report, err := doctor.Examine(ctx, doctor.Config{Machine: machine, Control: u.Client, Seconds: o.Seconds, Step: stepsOn(s)})
	clearLine(s)
	switch {
	case ctx.Err() != nil:
		return 0, &exit.Error{Code: exit.Interrupted, Err: lab.ErrInterrupted}
	case err != nil:
		return 0, &exit.Error{Code: exit.Incomplete, Err: fmt.Errorf("the examination ended early: %w", err)}
	}
	if err := printReport(s, report, o.JSON); err != nil {
		return 0, err
	}
	if !report.CanJudge {
		return exit.Inconclusive, nil
	}
	return exit.OK, nil
}

func printReport(s console.Streams, r *doctor.Report, asJSON bool) error {
	if !asJSON {
		return r.Write(s.Text())
	}
	text, err := json.MarshalIndent(r, "", "  ")
	if err != nil {
		return err
	}
	_, err = s.Out.Write(append(text, '\n'))
	return err
}

func thisMachine() doctor.Machine {
	e := rundir.ThisEnvironment(control.Version())
	return doctor.Machine{
		System: strings.TrimSpace(fmt.Sprintf("%s/%s %s", runtime.GOOS, runtime.GOARCH, e.Kernel)),
		CPUs:   e.CPUs, MaxProcs: e.MaxProcs, Load: e.LoadBefore, OpenFiles: e.OpenFiles,
	}
}

// stepsOn tells on a terminal what is being measured.
func stepsOn(s console.Streams) func(string) {
	if !console.IsTerminal(s.Err) {
		return nil
	}
	return func(running string) { fmt.Fprintf(s.Err, "\r\x1b[Kmeasuring: %s", running) }
}

func clearLine(s console.Streams) {
	if console.IsTerminal(s.Err) {
		fmt.Fprint(s.Err, "\r\x1b[K")
	}
}
