package analysis

import (
	"bytes"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/deadlinelab/deadlinelab/internal/console"
	"github.com/deadlinelab/deadlinelab/internal/eventlog"
	"github.com/deadlinelab/deadlinelab/internal/rundir"
	"github.com/deadlinelab/deadlinelab/internal/textui"
	"github.com/deadlinelab/deadlinelab/internal/timeline"
)

// maxProblems bounds what validate prints of one directory.
const maxProblems = 50

// ValidateRun checks the invariants of the logs, and that the files built from
// them are what the logs say.
func ValidateRun(s console.Streams, path string) (bool, error) {
	a, err := Open(path)
	if err != nil {
		return false, err
	}
	problems := slices.Concat(a.Merged.Problems, a.contradicted(), a.mismatches)
	for _, name := range []string{rundir.OperationsFile, rundir.SummaryFile} {
		if p := a.rebuilt(name); p != "" {
			problems = append(problems, timeline.Problem{Requirement: timeline.Requirement(name), Expected: "what the logs say", Found: p})
		}
	}
	a.printNotes(s)
	return len(problems) == 0, a.printProblems(s.Text(), problems)
}

func (a *Run) printProblems(out io.Writer, problems []timeline.Problem) error {
	for i, p := range problems {
		if i == maxProblems {
			fmt.Fprintf(out, "… and %d more\n", len(problems)-i)
			break
		}
		fmt.Fprintln(out, p)
	}
	verdict := "valid"
	if len(problems) > 0 {
		verdict = fmt.Sprintf("%d problems", len(problems))
	}
	operations, attempts := a.byPhase("operation", one), a.byPhase("attempt after a deadline", afterDeadline)
	_, err := fmt.Fprintf(out, "%s: %s, %s, %s\n", a.Dir.Path(), operations, attempts, verdict)
	return err
}

func one(*timeline.Operation) int { return 1 }

func afterDeadline(op *timeline.Operation) int {
	if op.AttemptsAfterDeadline == nil {
		return 0
	}
	return *op.AttemptsAfterDeadline
}

// phases are what validate tells apart, in its order: a report counts the
// measured operations alone.
var phases = []struct {
	phase eventlog.Phase
	name  string
}{
	{eventlog.Measured, "measured"}, {eventlog.Warmup, "warm-up"}, {eventlog.Helper, "helper"}, {eventlog.Probe, "probe"},
	{eventlog.Startup, "start-up"},
}

// byPhase is "9 operations (6 measured, 3 warm-up)".
func (a *Run) byPhase(what string, count func(*timeline.Operation) int) string {
	total, of := 0, map[eventlog.Phase]int{}
	for _, op := range a.Merged.Operations {
		total += count(op)
		of[op.Phase] += count(op)
	}
	var parts []string
	for _, p := range phases {
		if of[p.phase] > 0 {
			parts = append(parts, fmt.Sprintf("%d %s", of[p.phase], p.name))
		}
	}
	noun, rest, _ := strings.Cut(what, " ")
	text := strings.TrimSpace(textui.Count(total, noun) + " " + rest)
	if len(parts) > 0 {
		text += " (" + strings.Join(parts, ", ") + ")"
	}
	return text
}

// contradicted: no client can have seen what its server had not sent yet.
func (a *Run) contradicted() (list []timeline.Problem) {
	for _, op := range a.Merged.Operations {
		if op.Contradicted {
			list = append(list, timeline.Problem{Op: op.Op, Requirement: "times that both logs allow", Found: op.ClientBroke,
				Expected: "a client's account that its server's does not rule out"})
		}
	}
	return list
}

// rebuilt says how a file differs from what the logs give, "" if it does not.
// A file that is not there was not built yet: a killed run has none.
func (a *Run) rebuilt(name string) string {
	if !a.Dir.Has(name) {
		return ""
	}
	var want bytes.Buffer
	if err := a.build(name, &want); err != nil {
		return err.Error()
	}
	f, err := a.Dir.OpenLog(name)
	if err != nil {
		return err.Error()
	}
	defer f.Close()
	have, err := io.ReadAll(io.LimitReader(f, int64(want.Len())+1))
	if err != nil {
		return err.Error()
	}
	if !bytes.Equal(have, want.Bytes()) {
		return "it differs: `bench analyze` writes it again"
	}
	return ""
}

func (a *Run) build(name string, w io.Writer) error {
	if name == rundir.SummaryFile {
		return a.writeSummary(w)
	}
	return timeline.WriteOperations(w, a.Merged.Operations)
}
