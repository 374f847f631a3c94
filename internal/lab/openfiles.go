package lab

import (
	"fmt"

	"github.com/deadlinelab/deadlinelab/internal/doctor"
	"github.com/deadlinelab/deadlinelab/internal/exit"
	"github.com/deadlinelab/deadlinelab/internal/runner"
)

// What a run needs of open files in each of its two processes, which have the
// same limit: labserver keeps reservedFiles free for its own, and an operation
// in flight has a connection, its helper another.
const (
	reservedFiles     = 256
	filesPerOperation = 2
)

func filesFor(parallel int) uint64 { return reservedFiles + filesPerOperation*uint64(parallel) }

// ParallelWithin fits the number of operations in flight to the limit of open
// files, 0 = unknown. What was asked for is never changed silently: a number
// that does not fit is an error, auto (0) is lowered with a note.
func ParallelWithin(limit uint64, asked int) (parallel int, note string, err error) {
	wanted := asked
	if asked == 0 {
		wanted = runner.AutoParallel
	}
	switch {
	case limit == 0 || filesFor(wanted) <= limit:
		return asked, "", nil
	case limit < filesFor(1):
		needs := fmt.Sprintf("a run needs %d and %d more for each operation in flight", reservedFiles, filesPerOperation)
		return 0, "", tooFewFiles(limit, filesFor(wanted), needs, "")
	}
	most := int(limit-reservedFiles) / filesPerOperation
	if asked == 0 {
		return most, fmt.Sprintf("only %d files may be open at once: --parallel is %d instead of %d; `ulimit -n %d` before the run lifts that",
			limit, most, wanted, filesFor(wanted)), nil
	}
	needed := filesFor(asked)
	return 0, "", tooFewFiles(limit, needed, fmt.Sprintf("--parallel %d needs %d", asked, needed), fmt.Sprintf("lower it to --parallel %d, or ", most))
}

// EnoughFiles refuses operations that all run at once.
func EnoughFiles(limit uint64, operations int) error {
	needed := filesFor(operations)
	if limit == 0 || needed <= limit {
		return nil
	}
	return tooFewFiles(limit, needed, fmt.Sprintf("%d operations at once need %d", operations, needed), "")
}

// EnoughToExamine refuses an examination that could not have all its exchanges
// under way at once.
func EnoughToExamine(limit uint64) error {
	needed := filesFor(doctor.InFlight)
	if limit == 0 || needed <= limit {
		return nil
	}
	return tooFewFiles(limit, needed, fmt.Sprintf("the examination needs %d", needed), "")
}

// tooFewFiles hints at the limit with which the same command is not refused.
func tooFewFiles(limit, enough uint64, needs, or string) error {
	return exit.Usagef(fmt.Sprintf("%sraise the limit: `ulimit -n %d`", or, enough), "only %d files may be open at once (ulimit -n); %s", limit, needs)
}
