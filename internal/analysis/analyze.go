package analysis

import (
	"fmt"
	"runtime/debug"

	"github.com/deadlinelab/deadlinelab/internal/console"
	"github.com/deadlinelab/deadlinelab/internal/exit"
	"github.com/deadlinelab/deadlinelab/internal/rundir"
	"github.com/deadlinelab/deadlinelab/internal/verdict"
)

// leanGC lets the heap of an analysis grow by a quarter before it is collected:
// most of it is events that stay, and are quickly looked through.
const leanGC = 25

// Analyze rebuilds operations.jsonl and summary.json from the logs. With check
// the code is the verdict's.
func Analyze(s console.Streams, path string, check bool) (int, error) {
	defer debug.SetGCPercent(debug.SetGCPercent(leanGC))
	a, err := Open(path)
	if err != nil {
		return 0, err
	}
	if err := a.Write(); err != nil {
		return 0, &exit.Error{Code: exit.Worst(exit.Usage, a.readCode(false)), Err: err, Hint: "analyze writes into the directory: is it writable, and the disk not full?"}
	}
	finished := 0
	for _, op := range a.Merged.Operations {
		if op.Finished {
			finished++
		}
	}
	if _, err := fmt.Fprintf(s.Out, "%s: %d finished operations in %d series, verdict %s\n", a.Dir.Join(rundir.SummaryFile), finished, len(a.Summary.Series), a.Summary.Verdict); err != nil {
		return 0, err
	}
	a.printNotes(s)
	a.printBroken(s)
	return a.readCode(check), nil
}

// Open analyses the run directory at path.
func Open(path string) (*Run, error) {
	dir, err := rundir.Open(path)
	if err != nil {
		return nil, unreadable(err)
	}
	return Analyse(dir)
}

// readCode is the code of a command that only reads a run: 13 when it is
// incomplete, the verdict's only with --check.
func (a *Run) readCode(check bool) int {
	if a.run.Status != rundir.Complete {
		return exit.Incomplete
	}
	if check {
		return verdict.ExitCode(a.Summary, false)
	}
	return exit.OK
}

// printBroken sends to validate, which lists what is wrong with the logs.
func (a *Run) printBroken(s console.Streams) {
	if n := len(a.Merged.Problems); n > 0 {
		fmt.Fprintf(s.Err, "note: %d invariants are broken: `bench validate %s` names them\n", n, a.Dir.Path())
	}
}

func (a *Run) printNotes(s console.Streams) {
	for _, note := range a.notes() {
		fmt.Fprintln(s.Err, "note:", note)
	}
}
