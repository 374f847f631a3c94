package app

import (
	"context"
	"encoding/json"
	"fmt"
	"runtime"
	"strings"

	"github.com/deadlinelab/deadlinelab/internal/control"
	"github.com/deadlinelab/deadlinelab/internal/doctor"
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
func Doctor(ctx context.Context, s Streams, o DoctorOptions) (int, error) {
	if !(o.Seconds >= leastSeconds && o.Seconds <= mostSeconds) {
		return 0, Usagef("", "--seconds %g: expected %d to %d", o.Seconds, leastSeconds, mostSeconds)
	}
	if err := enoughToExamine(rundir.OpenFiles()); err != nil {
		return 0, err
	}
	machine := thisMachine() // before the measurement makes a load of its own
	u, err := connect(ctx, upstreamOptions{})
	if err != nil {
		return 0, err
	}
	defer u.stop()
	report, err := doctor.Examine(ctx, doctor.Config{Machine: machine, Control: u.client, Seconds: o.Seconds, Step: stepsOn(s)})
	clearLine(s)
	switch {
	case ctx.Err() != nil:
		return 0, &Error{Code: ExitInterrupted, Err: errInterrupted}
	case err != nil:
		return 0, &Error{Code: ExitIncomplete, Err: fmt.Errorf("the examination ended early: %w", err)}
	}
	if err := printReport(s, report, o.JSON); err != nil {
		return 0, err
	}
	if !report.CanJudge {
		return ExitInconclusive, nil
	}
	return ExitOK, nil
}

func printReport(s Streams, r *doctor.Report, asJSON bool) error {
	if !asJSON {
		return r.Write(s.text())
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
func stepsOn(s Streams) func(string) {
	if !isTerminal(s.Err) {
		return nil
	}
	return func(running string) { fmt.Fprintf(s.Err, "\r\x1b[Kmeasuring: %s", running) }
}

func clearLine(s Streams) {
	if isTerminal(s.Err) {
		fmt.Fprint(s.Err, "\r\x1b[K")
	}
}
