// Package analysis reads a run's directory, merges and judges it, writes its reports
// and checks that its files are what the run wrote.
package analysis

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/deadlinelab/deadlinelab/internal/eventlog"
	"github.com/deadlinelab/deadlinelab/internal/exit"
	"github.com/deadlinelab/deadlinelab/internal/rundir"
	"github.com/deadlinelab/deadlinelab/internal/scenario"
	"github.com/deadlinelab/deadlinelab/internal/timeline"
	"github.com/deadlinelab/deadlinelab/internal/verdict"
)

// Run is everything that a run directory says.
type Run struct {
	Dir     *rundir.Dir
	run     rundir.Run
	plan    *scenario.Plan
	Merged  *timeline.Run
	Summary *verdict.Summary
	Noise   map[string]rundir.Noise
	torn    []string // logs whose last line is torn
	written bool     // the summary is in the directory

	mismatches []timeline.Problem // what in the directory is not what the run wrote
}

// Analyse reads a run directory: plan, both logs, nothing else. A run that was
// killed reads like any other, as far as it got.
func Analyse(dir *rundir.Dir) (*Run, error) {
	a := &Run{Dir: dir}
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

func (a *Run) merge(client, server *eventlog.Packed) error {
	a.Merged = timeline.Merge(timeline.Input{
		ClientLog: client, ServerLog: server,
		OffsetNs: a.run.Clock.OffsetNs, BoundNs: a.run.Clock.BoundNs,
		Planned: a.cells(), Tallies: a.tallies(), Cut: a.run.Status != rundir.Complete,
	})
	a.Noise = noiseFloors(client, server)
	series := timeline.Summarize(a.Merged, nil)
	a.Summary = verdict.Judge(a.Merged.Operations, series, a.plan.Scenarios)
	a.Summary.Status = a.run.Status
	a.Summary.DescribeClients(a.plan.Clients)
	if err := verdict.Require(a.Summary, a.run.Require); err != nil {
		return err
	}
	a.Summary.Distrust(a.mismatches)
	return nil
}

func (a *Run) cells() []timeline.Cell {
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
func (a *Run) kind(variant string) string {
	for _, c := range a.plan.Clients {
		if c.Name == variant {
			return c.Kind
		}
	}
	return ""
}

func (a *Run) budget(name string) float64 {
	if s := a.scenario(name); s != nil {
		return s.Operation.BudgetMs
	}
	return 0
}

// planned is how many operations each series of the scenario was to have.
func (a *Run) planned(name string) int {
	s := a.scenario(name)
	if s == nil {
		return a.plan.Repeats * a.plan.Operations
	}
	return a.plan.Repeats * a.plan.ItemsOf(s) * s.CallersOf()
}

func (a *Run) scenario(name string) *scenario.Scenario {
	for _, s := range a.plan.Scenarios {
		if s.Name == name {
			return s
		}
	}
	return nil
}

func (a *Run) tallies() []timeline.Tally {
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

func (a *Run) readPlan() (data []byte, err error) {
	if data, err = a.Dir.ReadFile(rundir.PlanFile); err == nil {
		a.plan, err = scenario.ParsePlan(a.Dir.Join(rundir.PlanFile), data)
	}
	return data, err
}

// Write puts operations.jsonl and summary.json into the directory.
func (a *Run) Write() error {
	err := a.Dir.WriteRecords(rundir.OperationsFile, func(w io.Writer) error {
		return timeline.WriteOperations(w, a.Merged.Operations)
	})
	if err != nil {
		return err
	}
	err = a.Dir.WriteFile(rundir.SummaryFile, a.writeSummary)
	a.written = err == nil
	return err
}

// VerdictLine says the verdict, and where it stands if it could be written.
func (a *Run) VerdictLine() string {
	if !a.written {
		return fmt.Sprintf("verdict %s, of what could be kept: there is no file with it", a.Summary.Verdict)
	}
	return fmt.Sprintf("verdict %s: %s", a.Summary.Verdict, a.Dir.Join(rundir.SummaryFile))
}

func (a *Run) writeSummary(w io.Writer) error {
	data, err := a.Summary.JSON()
	if err != nil {
		return err
	}
	_, err = w.Write(data)
	return err
}

// notes says what a reader of the report must know of the directory itself.
func (a *Run) notes() []string {
	var notes []string
	for _, name := range a.torn {
		notes = append(notes, fmt.Sprintf("%s ends in a torn line: that event is not counted", name))
	}
	notes = append(notes, a.EvidenceNote()...)
	for _, p := range a.mismatches {
		notes = append(notes, "the run is not what it was, nothing in it can pass: "+p.String())
	}
	notes = append(notes, a.ClockNotes()...)
	if a.run.Status != rundir.Complete {
		why := a.run.Why
		if why == "" {
			why = "bench did not get to the end"
		}
		notes = append(notes, "the run is incomplete: "+why)
	}
	return notes
}

// ClockNotes says what two clocks leave unknown.
func (a *Run) ClockNotes() []string {
	if a.run.Clock.BoundNs == 0 {
		return nil
	}
	return []string{fmt.Sprintf("labserver has another clock: its times are known within ±%.3f ms; narrower gaps between the two sides are unknown", float64(a.run.Clock.BoundNs)/1e6)}
}

func unreadable(err error) error {
	return &exit.Error{Code: exit.Usage, Err: err, Hint: "name a directory that `bench run` has written; results/latest leads to the last one"}
}

// Variant finds a variant that was run by its name or letter.
func (a *Run) Variant(flag, word string) (string, error) {
	var have []string
	for _, c := range a.plan.Cells {
		if word == c.Variant || strings.EqualFold(word, c.Label) {
			return c.Variant, nil
		}
		if !slices.Contains(have, c.Variant) {
			have = append(have, c.Variant)
		}
	}
	return "", exit.Usagef("", "--map %q: %q was not run in %s, expected one of %s", flag, word, a.Dir.Path(), strings.Join(have, ", "))
}

// Results is where run directories go unless --out says otherwise.
const Results = "results"

// ServerFailed is an error where labserver panicked: the operation is invalid
// and the others count, but the fault is not the client's.
func (a *Run) ServerFailed() error {
	for _, p := range a.Merged.Problems {
		if p.Requirement == timeline.ServerHolds {
			return &exit.Error{Code: exit.Internal, Err: fmt.Errorf("labserver failed: %s", p),
				Hint: fmt.Sprintf("this is a defect of labserver; please report it with %s. The other operations count", a.Dir.Path())}
		}
	}
	return nil
}
