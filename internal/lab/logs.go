package lab

import (
	"context"
	"fmt"
	"io"
	"os"

	"github.com/deadlinelab/deadlinelab/internal/eventlog"
	"github.com/deadlinelab/deadlinelab/internal/exit"
	"github.com/deadlinelab/deadlinelab/internal/rundir"
)

// logs are the two event logs of a run that is being measured. The first one
// that cannot be written gives the run up: what is not kept is not measured.
type logs struct {
	dir            *rundir.Dir
	client, server *os.File
	giveUp         context.CancelCauseFunc
}

func openLogs(dir *rundir.Dir) (*logs, error) {
	client, err := dir.Log(rundir.ClientLog)
	if err != nil {
		return nil, err
	}
	server, err := dir.Log(rundir.ServerLog)
	if err != nil {
		client.Close()
		return nil, err
	}
	return &logs{dir: dir, client: client, server: server}, nil
}

func (l *logs) close() {
	l.client.Close()
	l.server.Close()
}

// copy writes the recorder's events to the client's log in the background, and
// closes its channel when all are written or none can be any more.
func (l *logs) copy(r *eventlog.Recorder) <-chan struct{} {
	copied := make(chan struct{})
	go func() {
		defer close(copied)
		if err := eventlog.Copy(context.Background(), r, l.client); err != nil {
			l.failed(rundir.ClientLog, err)
		}
	}()
	return copied
}

// serverLog is where the runner writes the server's events.
func (l *logs) serverLog() io.Writer { return serverLog{l} }

type serverLog struct{ of *logs }

func (s serverLog) Write(b []byte) (int, error) {
	n, err := s.of.server.Write(b)
	if err != nil {
		s.of.failed(rundir.ServerLog, err)
	}
	return n, err
}

func (l *logs) failed(name string, err error) {
	l.giveUp(exit.WriteError(fmt.Errorf("the event log %s cannot be written, the run was given up: %w", name, err)))
}
