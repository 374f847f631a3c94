package lab

import (
	"os"
	"path/filepath"
	"time"

	"github.com/deadlinelab/deadlinelab/internal/analysis"
	"github.com/deadlinelab/deadlinelab/internal/exit"
	"github.com/deadlinelab/deadlinelab/internal/rundir"
)

// CreateDir is the directory of a run that is kept.
func CreateDir(label, out string) (*rundir.Dir, error) {
	dir, err := rundir.Create(analysis.Results, label, out, time.Now())
	if err != nil {
		return nil, exit.Usagef("choose another --out, or remove the directory", "%w", err)
	}
	return dir, nil
}

// Scratch is the directory of a run that nobody keeps; remove takes it away.
func Scratch(label string) (dir *rundir.Dir, remove func(), err error) {
	place, err := os.MkdirTemp("", "deadlinelab-"+label+"-")
	if err != nil {
		return nil, nil, unscratched(err)
	}
	remove = func() { os.RemoveAll(place) }
	dir, err = rundir.Create(place, label, filepath.Join(place, "run"), time.Now())
	if err != nil {
		remove()
		return nil, nil, unscratched(err)
	}
	return dir, remove, nil
}

// unscratched: nothing was started yet that could be incomplete.
func unscratched(err error) error {
	return exit.Usagef("is the disk full? TMPDIR names the directory to use", "the temporary directory of the run: %w", err)
}
