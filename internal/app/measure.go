package app

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"io"
	"time"

	"github.com/deadlinelab/deadlinelab/internal/clock"
	"github.com/deadlinelab/deadlinelab/internal/control"
	"github.com/deadlinelab/deadlinelab/internal/eventlog"
	"github.com/deadlinelab/deadlinelab/internal/rundir"
	"github.com/deadlinelab/deadlinelab/internal/runner"
)

// measurement is one run into one directory. Whatever happens, the directory
// says at any moment what it holds: run.json is "running" until the end.
type measurement struct {
	measurementOptions
	plan    *runner.Plan
	dir     *rundir.Dir
	logs    *logs
	facts   rundir.Run
	started time.Time
}

type measurementOptions struct {
	clock     clock.Clock // of the run; zero = a new one
	label     string
	arguments []string // as typed
	parallel  int      // 0 = the runner's own choice
	why       string   // why that many; empty when it was asked for
	require   string
	hardCap   time.Duration // that was asked for; 0 = each scenario's own
	progress  func(runner.Progress)
	live      func(side string, e eventlog.Event) // sees the events as they come; nil = nobody does
}

// errInterrupted is why a run was aborted by Ctrl-C.
var errInterrupted = errors.New("interrupted")

// newMeasurement writes what is known before the first operation.
func newMeasurement(plan *runner.Plan, dir *rundir.Dir, o measurementOptions) (*measurement, error) {
	if o.clock == (clock.Clock{}) {
		o.clock = clock.New()
	}
	m := &measurement{measurementOptions: o, plan: plan, dir: dir, started: time.Now()}
	document, err := plan.Marshal()
	if err != nil {
		return nil, err
	}
	digest := sha256.Sum256(document)
	m.facts = rundir.Run{
		Schema: rundir.RunSchema, SchemaVersion: rundir.RunSchemaVersion, Status: rundir.Running, Label: o.label,
		Started: stamp(m.started), Arguments: o.arguments, Require: o.require, CapMs: float64(o.hardCap) / float64(time.Millisecond),
		Seed: plan.Seed, Repeats: plan.Repeats, Operations: plan.Operations, Parallel: o.parallel, ParallelWhy: o.why,
		PlanDigest: hex.EncodeToString(digest[:]), Environment: rundir.ThisEnvironment(control.Version()),
	}
	if err := dir.WriteFile(rundir.PlanFile, func(w io.Writer) error { _, err := w.Write(document); return err }); err != nil {
		return nil, err
	}
	// run.json comes last: a directory that has one is a run, however it ends.
	if m.logs, err = openLogs(dir); err != nil {
		return nil, err
	}
	return m, dir.WriteRun(m.facts)
}

func stamp(t time.Time) string { return t.UTC().Format(time.RFC3339Nano) }

// run carries out the plan against u, which it stops. The error says why the
// run is not complete; the directory is readable in any case.
func (m *measurement) run(ctx context.Context, u *upstream) error {
	defer u.stop()
	return m.close(m.record(ctx, u))
}

// record runs the plan while the client's events are copied to their log; the
// runner writes the server's.
func (m *measurement) record(ctx context.Context, u *upstream) error {
	defer m.logs.close()
	ctx, giveUp := context.WithCancelCause(ctx)
	defer giveUp(nil)
	m.logs.giveUp = giveUp
	recorder := eventlog.NewRecorder(m.clock, eventlog.Header{Side: eventlog.ClientSide, Experiment: m.label})
	go m.logs.watch(ctx)
	copied := m.logs.copy(recorder)
	r := runner.New(runner.Config{
		Clock: m.clock, Control: u.client, Recorder: recorder, ServerLog: m.logs.serverLog(), DataHost: u.host,
		Parallel: m.parallel, Progress: m.progress, Live: m.live, Lost: u.lost(),
		Aligned: func(c runner.Clock) { m.aligned(c, giveUp) },
	})
	result, err := r.Run(ctx, m.plan)
	recorder.Close()
	<-copied
	m.note(result, recorder)
	return errors.Join(u.whyEnded(ctx, result, err), m.rescue())
}

// aligned keeps how the clocks compare before anything is measured: the logs of
// a run that is killed later cannot be read without it.
func (m *measurement) aligned(c runner.Clock, giveUp context.CancelCauseFunc) {
	m.facts.Clock = clockFacts(c)
	if err := m.dir.WriteRun(m.facts); err != nil {
		giveUp(writeError(err))
	}
}

func clockFacts(c runner.Clock) rundir.Clock {
	facts := rundir.Clock{Name: clock.Name, Shared: c.Shared, OffsetNs: c.OffsetNs, BoundNs: c.BoundNs}
	for _, r := range c.Readings {
		facts.Readings = append(facts.Readings, rundir.ClockReading(r))
	}
	return facts
}

// note keeps what each log must hold to be whole.
func (m *measurement) note(result *runner.Result, recorder *eventlog.Recorder) {
	m.facts.Tallies = []rundir.Tally{{Experiment: m.label, Side: "client", LastSeq: recorder.LastSeq(), Lost: recorder.Lost()}}
	if result == nil {
		return
	}
	m.facts.Parallel = result.Parallel
	for _, t := range result.Tallies {
		m.facts.Tallies = append(m.facts.Tallies, serverTally(t))
		m.facts.Busy = append(m.facts.Busy, t.Busy...)
	}
	m.facts.Clock = clockFacts(result.Clock)
}

func serverTally(t control.Tally) rundir.Tally {
	requests := 0
	for _, n := range t.Requests {
		requests += n
	}
	return rundir.Tally{Experiment: t.Experiment, Side: "server", LastSeq: t.LastSeq, Lost: t.Lost, Requests: requests}
}

// close writes how the run ended and hands the reason on. The run's end is its
// start and what it took: a clock that was set meanwhile would tell another.
func (m *measurement) close(why error) error {
	took := time.Since(m.started)
	m.facts.Finished, m.facts.WallSeconds = stamp(m.started.Add(took)), took.Seconds()
	if err := m.keepEvidence(); why == nil && err != nil {
		why = writeError(err)
	}
	m.facts.Status = rundir.Complete
	if why != nil {
		m.facts.Status, m.facts.Why = rundir.Aborted, why.Error()
	}
	return errors.Join(why, m.dir.WriteRun(m.facts))
}

// analyse reads the directory back, and writes what follows from it: the noise
// floors into run.json, operations.jsonl and summary.json. There is an analysis
// also when only the writing failed.
func (m *measurement) analyse() (*analysis, error) {
	a, err := analyse(m.dir)
	if err != nil {
		return nil, err
	}
	m.facts.Noise = a.noise
	if err := errors.Join(m.dir.WriteRun(m.facts), a.write()); err != nil {
		return a, writeError(err)
	}
	return a, nil
}
