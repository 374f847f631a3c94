package analysis

import (
	"errors"
	"fmt"
	"io"

	"github.com/deadlinelab/deadlinelab/internal/eventlog"
	"github.com/deadlinelab/deadlinelab/internal/rundir"
)

// sideLog is one side's log as it was read.
type sideLog struct {
	name   string
	events *eventlog.Packed
	torn   bool // its last line is cut off and left out
	err    error

	foreign  int // lines that are no events of it, left out
	first    error
	evidence rundir.Evidence
}

// readLogs reads both logs, each on a core of its own.
func (a *Run) readLogs() (client, server sideLog, err error) {
	first := make(chan sideLog, 1)
	go func() { first <- a.readLog(rundir.ClientLog, eventlog.ClientSide) }()
	s := a.readLog(rundir.ServerLog, eventlog.ServerSide)
	c := <-first
	for _, l := range []sideLog{c, s} {
		if l.err != nil {
			return client, server, l.err
		}
		if l.torn {
			a.torn = append(a.torn, l.name)
		}
	}
	return c, s, nil
}

// readLog is empty for a log without a line whose run was ended early.
func (a *Run) readLog(name, side string) sideLog {
	l := sideLog{name: name, events: &eventlog.Packed{}}
	f, err := a.Dir.OpenLog(name)
	if err != nil {
		l.err = err
		return l
	}
	defer f.Close()
	digest := rundir.NewDigest()
	log, err := eventlog.ReadEach(a.Dir.Join(name), io.TeeReader(f, digest), l.events.Add)
	l.evidence = digest.Of(name)
	switch {
	case errors.Is(err, eventlog.ErrEmpty) && a.run.Status != rundir.Complete:
	case err != nil:
		l.err = err
	case log.Headers[0].Side != side:
		l.err = fmt.Errorf("%s:1: found a log of side %q, expected side %q: the logs are mixed up", a.Dir.Join(name), log.Headers[0].Side, side)
	default:
		l.torn, l.foreign, l.first = log.Torn, log.Foreign, log.First
	}
	return l
}
