package app

import (
	"fmt"
	"io"

	"github.com/deadlinelab/deadlinelab/internal/eventlog"
	"github.com/deadlinelab/deadlinelab/internal/rundir"
	"github.com/deadlinelab/deadlinelab/internal/scenario"
	"github.com/deadlinelab/deadlinelab/internal/timeline"
	"github.com/deadlinelab/deadlinelab/internal/verdict"
)

// analysis is everything that a run directory says.
type analysis struct {
	dir     *rundir.Dir
	run     rundir.Run
	plan    *scenario.Plan
	merged  *timeline.Run
	summary *verdict.Summary
	noise   map[string]rundir.Noise
	torn    []string // logs whose last line is torn
	written bool     // the summary is in the directory

	mismatches []timeline.Problem // what in the directory is not what the run wrote
}

// analyse reads a run directory: plan, both logs, nothing else. A run that was
// killed reads like any other, as far as it got.
func analyse(dir *rundir.Dir) (*analysis, error) {
	a := &analysis{dir: dir}
	var err error
	if a.run, err = dir.ReadRun(); err != nil {
		return nil, unreadable(err)
	}
	plan, err := a.readPlan()
	if err != nil {
		return nil, unreadable(err)
	}
	client, server, err := a.readLogs()
	if err != nil {
		return nil, unreadable(err)
	}
	a.doubt(plan, client, server)
	if err := a.merge(client.events, server.events); err != nil {
		return nil, unreadable(err)
	}
	return a, nil
}

func (a *analysis) merge(client, server *eventlog.Packed) error {
	a.merged = timeline.Merge(timeline.Input{
		ClientLog: client, ServerLog: server,
		OffsetNs: a.run.Clock.OffsetNs, BoundNs: a.run.Clock.BoundNs,
		Planned: a.cells(), Tallies: a.tallies(), Cut: a.run.Status != rundir.Complete,
	})
	a.noise = noiseFloors(client, server)
	series := timeline.Summarize(a.merged, nil)
	a.summary = verdict.Judge(a.merged.Operations, series, a.plan.Scenarios)
	a.summary.Status = a.run.Status
	a.summary.DescribeClients(a.plan.Clients)
	if err := verdict.Require(a.summary, a.run.Require); err != nil {
		return err
	}
	a.summary.Distrust(a.mismatches)
	return nil
}

func (a *analysis) cells() []timeline.Cell {
	var cells []timeline.Cell
	for _, c := range a.plan.Cells {
		cell := timeline.Cell{Scenario: c.Scenario, Variant: c.Variant, Label: c.Label,
			BudgetMs: a.budget(c.Scenario), Client: a.kind(c.Variant), NotApplicable: c.NotApplicable}
		if c.NotApplicable == "" {
			cell.Planned = a.planned(c.Scenario)
		}
		cells = append(cells, cell)
	}
	return cells
}

// kind is that of a client in a process of its own, empty for a variant.
func (a *analysis) kind(variant string) string {
	for _, c := range a.plan.Clients {
		if c.Name == variant {
			return c.Kind
		}
	}
	return ""
}

func (a *analysis) budget(name string) float64 {
	if s := a.scenario(name); s != nil {
		return s.Operation.BudgetMs
	}
	return 0
}

// planned is how many operations each series of the scenario was to have.
func (a *analysis) planned(name string) int {
	s := a.scenario(name)
	if s == nil {
		return a.plan.Repeats * a.plan.Operations
	}
	return a.plan.Repeats * a.plan.ItemsOf(s) * s.CallersOf()
}

func (a *analysis) scenario(name string) *scenario.Scenario {
	for _, s := range a.plan.Scenarios {
		if s.Name == name {
			return s
		}
	}
	return nil
}

func (a *analysis) tallies() []timeline.Tally {
	var list []timeline.Tally
	for _, t := range a.run.Tallies {
		tally := timeline.Tally{Side: t.Side, Experiment: t.Experiment, LastSeq: t.LastSeq, Lost: t.Lost}
		if t.Side == "client" {
			tally.Experiment = ""
		}
		list = append(list, tally)
	}
	return list
}

func (a *analysis) readPlan() (data []byte, err error) {
	if data, err = a.dir.ReadFile(rundir.PlanFile); err == nil {
		a.plan, err = scenario.ParsePlan(a.dir.Join(rundir.PlanFile), data)
	}
	return data, err
}

// write puts operations.jsonl and summary.json into the directory.
func (a *analysis) write() error {
	err := a.dir.WriteRecords(rundir.OperationsFile, func(w io.Writer) error {
		return timeline.WriteOperations(w, a.merged.Operations)
	})
	if err != nil {
		return err
	}
	err = a.dir.WriteFile(rundir.SummaryFile, a.writeSummary)
	a.written = err == nil
	return err
}

// verdictLine says the verdict, and where it stands if it could be written.
func (a *analysis) verdictLine() string {
	if !a.written {
		return fmt.Sprintf("verdict %s, of what could be kept: there is no file with it", a.summary.Verdict)
	}
	return fmt.Sprintf("verdict %s: %s", a.summary.Verdict, a.dir.Join(rundir.SummaryFile))
}

func (a *analysis) writeSummary(w io.Writer) error {
	data, err := a.summary.JSON()
	if err != nil {
		return err
	}
	_, err = w.Write(data)
	return err
}

// notes says what a reader of the report must know of the directory itself.
func (a *analysis) notes() []string {
	var notes []string
	for _, name := range a.torn {
		notes = append(notes, fmt.Sprintf("%s ends in a torn line: that event is not counted", name))
	}
	notes = append(notes, a.evidenceNote()...)
	for _, p := range a.mismatches {
		notes = append(notes, "the run is not what it was, nothing in it can pass: "+p.String())
	}
	notes = append(notes, a.clockNotes()...)
	if a.run.Status != rundir.Complete {
		why := a.run.Why
		if why == "" {
			why = "bench did not get to the end"
		}
		notes = append(notes, "the run is incomplete: "+why)
	}
	return notes
}

// clockNotes says what two clocks leave unknown.
func (a *analysis) clockNotes() []string {
	if a.run.Clock.BoundNs == 0 {
		return nil
	}
	return []string{fmt.Sprintf("labserver has another clock: its times are known within ±%.3f ms; narrower gaps between the two sides are unknown", float64(a.run.Clock.BoundNs)/1e6)}
}

func unreadable(err error) error {
	return &Error{Code: ExitUsage, Err: err, Hint: "name a directory that `bench run` has written; results/latest leads to the last one"}
}
