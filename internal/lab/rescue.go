package lab

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"os"
	"time"

	"github.com/deadlinelab/deadlinelab/internal/exit"
	"github.com/deadlinelab/deadlinelab/internal/rundir"
)

// lookEvery is how often a run looks whether its directory is still there.
const lookEvery = 200 * time.Millisecond

// watch gives the run up when its logs are no longer where they were made.
func (l *logs) watch(ctx context.Context) {
	every := time.NewTicker(lookEvery)
	defer every.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-every.C:
			if err := l.gone(); err != nil {
				l.giveUp(err)
				return
			}
		}
	}
}

// gone is an error when a log is no longer where it was made.
func (l *logs) gone() error {
	for _, f := range []*os.File{l.client, l.server} {
		open, err := f.Stat()
		if err != nil {
			return nil // closed: the run has ended
		}
		if there, err := os.Stat(f.Name()); err != nil || !os.SameFile(open, there) {
			return &exit.Error{Code: exit.Incomplete, Err: fmt.Errorf("%s was removed or moved during the run, which was given up", f.Name())}
		}
	}
	return nil
}

// rescue saves a run whose directory is gone in another one: the logs are still
// open, and the plan is known.
func (m *Measurement) rescue() error {
	if m.logs.gone() == nil {
		return nil
	}
	path, err := os.MkdirTemp("", "deadlinelab-rescued-")
	if err != nil {
		return exit.WriteError(err)
	}
	dir, err := rundir.Create("", "", path, m.started)
	if err != nil {
		return exit.WriteError(err)
	}
	document, err := m.plan.Marshal()
	if err != nil {
		return err
	}
	for name, from := range map[string]io.ReadSeeker{rundir.PlanFile: bytes.NewReader(document), rundir.ClientLog: whole(m.logs.client), rundir.ServerLog: whole(m.logs.server)} {
		if err := dir.WriteFile(name, copied(from)); err != nil {
			return exit.WriteError(err)
		}
	}
	m.Dir = dir
	return nil
}

// copied writes the whole of from, as often as it is called.
func copied(from io.ReadSeeker) func(io.Writer) error {
	return func(w io.Writer) error {
		if _, err := from.Seek(0, io.SeekStart); err != nil {
			return err
		}
		_, err := io.Copy(w, from)
		return err
	}
}

// whole reads an open log from its beginning.
func whole(f *os.File) io.ReadSeeker { return io.NewSectionReader(f, 0, rundir.MaxLogBytes) }
