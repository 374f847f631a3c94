package lab

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"time"

	"github.com/deadlinelab/deadlinelab/internal/analysis"
	"github.com/deadlinelab/deadlinelab/internal/clock"
	"github.com/deadlinelab/deadlinelab/internal/console"
	"github.com/deadlinelab/deadlinelab/internal/control"
	"github.com/deadlinelab/deadlinelab/internal/eventlog"
	"github.com/deadlinelab/deadlinelab/internal/exit"
	"github.com/deadlinelab/deadlinelab/internal/rundir"
	"github.com/deadlinelab/deadlinelab/internal/runner"
)

// Measurement is one run into one directory. Whatever happens, the directory
// says at any moment what it holds: run.json is "running" until the end.
type Measurement struct {
	MeasurementOptions
	plan    *runner.Plan
	Dir     *rundir.Dir
	logs    *logs
	facts   rundir.Run
	started time.Time
}

// MeasurementOptions say how a plan is measured and what run.json keeps of it.
type MeasurementOptions struct {
	Clock     clock.Clock // of the run; zero = a new one
	Label     string
	Arguments []string // as typed
	Parallel  int      // 0 = the runner's own choice
	Why       string   // why that many; empty when it was asked for
	Require   string
	HardCap   time.Duration // that was asked for; 0 = each scenario's own
	Progress  func(runner.Progress)
	Live      func(side string, e eventlog.Event) // sees the events as they come; nil = nobody does
}

// ErrInterrupted is why a run was aborted by Ctrl-C.
var ErrInterrupted = errors.New("interrupted")

// NewMeasurement writes what is known before the first operation.
func NewMeasurement(plan *runner.Plan, dir *rundir.Dir, o MeasurementOptions) (*Measurement, error) {
	if o.Clock == (clock.Clock{}) {
		o.Clock = clock.New()
	}
	m := &Measurement{MeasurementOptions: o, plan: plan, Dir: dir, started: time.Now()}
	document, err := plan.Marshal()
	if err != nil {
		return nil, err
	}
	digest := sha256.Sum256(document)
	m.facts = rundir.Run{
		Schema: rundir.RunSchema, SchemaVersion: rundir.RunSchemaVersion, Status: rundir.Running, Label: o.Label,
		Started: stamp(m.started), Arguments: o.Arguments, Require: o.Require, CapMs: float64(o.HardCap) / float64(time.Millisecond),
		Seed: plan.Seed, Repeats: plan.Repeats, Operations: plan.Operations, Parallel: o.Parallel, ParallelWhy: o.Why,
		PlanDigest: hex.EncodeToString(digest[:]), Environment: rundir.ThisEnvironment(control.Version()),
	}
	if err := dir.WriteFile(rundir.PlanFile, func(w io.Writer) error { _, err := w.Write(document); return err }); err != nil {
		return nil, err
	}
	// Run.json comes last: a directory that has one is a run, however it ends.
	if m.logs, err = openLogs(dir); err != nil {
		return nil, err
	}
	return m, dir.WriteRun(m.facts)
}

func stamp(t time.Time) string { return t.UTC().Format(time.RFC3339Nano) }

// Run carries out the plan against u, which it stops. The error says why the
// Run is not complete; the directory is readable in any case.
func (m *Measurement) Run(ctx context.Context, u *Upstream) error {
	defer u.Stop()
	return m.Close(m.Record(ctx, u))
}

// Record runs the plan while the client's events are copied to their log; the
// runner writes the server's.
func (m *Measurement) Record(ctx context.Context, u *Upstream) error {
	defer m.logs.close()
	ctx, giveUp := context.WithCancelCause(ctx)
	defer giveUp(nil)
	m.logs.giveUp = giveUp
	recorder := eventlog.NewRecorder(m.Clock, eventlog.Header{Side: eventlog.ClientSide, Experiment: m.Label})
	go m.logs.watch(ctx)
	copied := m.logs.copy(recorder)
	r := runner.New(runner.Config{
		Clock: m.Clock, Control: u.Client, Recorder: recorder, ServerLog: m.logs.serverLog(), DataHost: u.host,
		Parallel: m.Parallel, Progress: m.Progress, Live: m.Live, Lost: u.Lost(),
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
func (m *Measurement) aligned(c runner.Clock, giveUp context.CancelCauseFunc) {
	m.facts.Clock = clockFacts(c)
	if err := m.Dir.WriteRun(m.facts); err != nil {
		giveUp(exit.WriteError(err))
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
func (m *Measurement) note(result *runner.Result, recorder *eventlog.Recorder) {
	m.facts.Tallies = []rundir.Tally{{Experiment: m.Label, Side: "client", LastSeq: recorder.LastSeq(), Lost: recorder.Lost()}}
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

// Close writes how the run ended and hands the reason on. The run's end is its
// start and what it took: a clock that was set meanwhile would tell another.
func (m *Measurement) Close(why error) error {
	took := time.Since(m.started)
	m.facts.Finished, m.facts.WallSeconds = stamp(m.started.Add(took)), took.Seconds()
	if err := m.keepEvidence(); why == nil && err != nil {
		why = exit.WriteError(err)
	}
	m.facts.Status = rundir.Complete
	if why != nil {
		m.facts.Status, m.facts.Why = rundir.Aborted, why.Error()
	}
	return errors.Join(why, m.Dir.WriteRun(m.facts))
}

// Analyse reads the directory back, and writes what follows from it: the noise
// floors into run.json, operations.jsonl and summary.json. There is an analysis
// also when only the writing failed.
func (m *Measurement) Analyse() (*analysis.Run, error) {
	a, err := analysis.Analyse(m.Dir)
	if err != nil {
		return nil, err
	}
	m.facts.Noise = a.Noise
	if err := errors.Join(m.Dir.WriteRun(m.facts), a.Write()); err != nil {
		return a, exit.WriteError(err)
	}
	return a, nil
}

// keepEvidence notes what the files hold that the run is judged by, now that
// nothing more is written to them.
func (m *Measurement) keepEvidence() error {
	for _, name := range rundir.EvidenceFiles {
		e, err := analysis.EvidenceIn(m.Dir, name)
		if err != nil {
			return err
		}
		m.facts.Evidence = append(m.facts.Evidence, e)
	}
	return nil
}

// SayVerdict is what a run says beside its reports: how far to trust it, and
// where it is kept.
func (m *Measurement) SayVerdict(s console.Streams, a *analysis.Run) {
	for _, note := range a.ClockNotes() {
		fmt.Fprintln(s.Err, "note:", note)
	}
	noteFailedStartups(s, m.plan, a.Merged)
	fmt.Fprintln(s.Err, a.VerdictLine())
	if console.IsTerminal(s.Err) {
		fmt.Fprintf(s.Err, "next: bench report %s --format html -o report.html\n", m.Dir.Path())
	}
}
