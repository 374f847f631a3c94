package app

import (
	"fmt"
	"runtime/debug"

	"github.com/deadlinelab/deadlinelab/internal/rundir"
	"github.com/deadlinelab/deadlinelab/internal/verdict"
)

// leanGC lets the heap of an analysis grow by a quarter before it is collected:
// most of it is events that stay, and are quickly looked through.
const leanGC = 25

// Analyze rebuilds operations.jsonl and summary.json from the logs. With check
// the code is the verdict's.
func Analyze(s Streams, path string, check bool) (int, error) {
	defer debug.SetGCPercent(debug.SetGCPercent(leanGC))
	a, err := open(path)
	if err != nil {
		return 0, err
	}
	if err := a.write(); err != nil {
		return 0, &Error{Code: Worst(ExitUsage, a.readCode(false)), Err: err, Hint: "analyze writes into the directory: is it writable, and the disk not full?"}
	}
	finished := 0
	for _, op := range a.merged.Operations {
		if op.Finished {
			finished++
		}
	}
	if _, err := fmt.Fprintf(s.Out, "%s: %d finished operations in %d series, verdict %s\n", a.dir.Join(rundir.SummaryFile), finished, len(a.summary.Series), a.summary.Verdict); err != nil {
		return 0, err
	}
	a.printNotes(s)
	a.printBroken(s)
	return a.readCode(check), nil
}

// open analyses the run directory at path.
func open(path string) (*analysis, error) {
	dir, err := rundir.Open(path)
	if err != nil {
		return nil, unreadable(err)
	}
	return analyse(dir)
}

// readCode is the code of a command that only reads a run: 13 when it is
// incomplete, the verdict's only with --check.
func (a *analysis) readCode(check bool) int {
	if a.run.Status != rundir.Complete {
		return ExitIncomplete
	}
	if check {
		return verdict.ExitCode(a.summary, false)
	}
	return ExitOK
}

// printBroken sends to validate, which lists what is wrong with the logs.
func (a *analysis) printBroken(s Streams) {
	if n := len(a.merged.Problems); n > 0 {
		fmt.Fprintf(s.Err, "note: %d invariants are broken: `bench validate %s` names them\n", n, a.dir.Path())
	}
}

func (a *analysis) printNotes(s Streams) {
	for _, note := range a.notes() {
		fmt.Fprintln(s.Err, "note:", note)
	}
}
