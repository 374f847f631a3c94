package extclient

import (
	"errors"
	"fmt"

	"github.com/deadlinelab/deadlinelab/internal/eventlog"
	"github.com/deadlinelab/deadlinelab/internal/variants"
)

var errFlood = errors.New("wrote more than the bench reads")

// ending is what the process's end means. why is what the bench ended it for;
// marked tells whether its output had to hold a marker.
func (x *program) ending(p *process, why error, marked bool) variants.Ending {
	status, signal := p.cmd.ProcessState.ExitCode(), endedBy(p.cmd)
	switch {
	case p.stdout.flooded, p.stderr.flooded:
		return brokenCall(fmt.Sprintf("wrote more than %d MiB to its %s", x.limit>>20, p.flood()))
	case status == 0 && (!marked || p.stdout.found):
		return variants.Ending{Outcome: eventlog.Success}
	case why != nil:
		return x.stopped(p, why, status, signal)
	case signal != "" && p.signalled:
		return x.stopped(p, errForgotten, status, signal)
	case signal != "":
		return brokenCall(p.withEnd("was ended by the signal: " + signal))
	case status == 0:
		return variants.Ending{Outcome: eventlog.InvalidData, ErrorType: "exit status 0",
			Error: p.withEnd("exit status 0, but the operation's marker is not in its standard output: it has to print the body that it received")}
	}
	return x.failed(p, status)
}

var errForgotten = errors.New("given up by the bench")

// stopped is the end of a process that the bench has asked or forced to end.
func (x *program) stopped(p *process, why error, status int, signal string) variants.Ending {
	e := variants.Ending{Outcome: eventlog.Cancelled, ErrorType: fmt.Sprintf("exit status %d", status), Error: p.withEnd(why.Error())}
	if signal != "" {
		e.ErrorType = "signal: " + signal
	}
	if errors.Is(why, variants.ErrCap) {
		e.Outcome = eventlog.CapReached
	}
	return e
}

// failed is an exit status that the process chose itself.
func (x *program) failed(p *process, status int) variants.Ending {
	text := fmt.Sprintf("exit status %d", status)
	e := variants.Ending{Outcome: eventlog.ClientError, ErrorType: text, Error: p.withEnd(text + ", which --exec-outcome does not map")}
	if outcome, ok := x.outcomes[status]; ok {
		e.Outcome, e.Error = outcome, p.withEnd(text)
	}
	return e
}

// withEnd adds the end of what the process wrote to its standard error.
func (p *process) withEnd(text string) string {
	if end := p.stderr.end(); end != "" {
		return text + "; it wrote: " + end
	}
	return text
}

// flood names the stream that was too long.
func (p *process) flood() string {
	if p.stdout.flooded {
		return "standard output"
	}
	return "standard error"
}
