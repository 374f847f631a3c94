package labserver

import (
	"errors"
	"fmt"
	"io"
)

// Exit codes.
const (
	exitOK          = 0
	exitFailed      = 10
	exitUsage       = 64
	exitInternal    = 70
	exitInterrupted = 130
)

// program is one run of the command: its flags and its streams.
type program struct {
	stdin          io.Reader
	stdout, stderr io.Writer
	env            func(string) string

	control     string
	listen      string
	scenario    string
	parentStdin bool
}

var errInterrupted = errors.New("interrupted")

// Main runs labserver with the arguments after its name and returns the exit
// code: 0 ended by its parent, 10 a proof of selftest failed, 64 usage, scenario or address error, 70
// internal, 130 interrupted.
func Main(args []string, stdin io.Reader, stdout, stderr io.Writer, env func(string) string) int {
	p := &program{stdin: stdin, stdout: stdout, stderr: stderr, env: env}
	cmd := p.command()
	cmd.SetArgs(args)
	cmd.SetOut(stdout)
	cmd.SetErr(stderr)
	return p.exitCode(cmd.Execute())
}

// exitCode prints the error, if any, and says how the process ends.
func (p *program) exitCode(err error) int {
	var r *refusal
	switch {
	case err == nil:
		return exitOK
	case errors.Is(err, errInterrupted):
		return exitInterrupted
	case errors.Is(err, errSelftest):
		p.complain(err.Error(), "the lines above name what was found and what was expected")
		return exitFailed
	case errors.As(err, &r):
		p.complain(r.message, r.hint)
		return exitUsage
	default:
		p.complain(err.Error(), "")
		return exitInternal
	}
}

func (p *program) complain(message, hint string) {
	fmt.Fprintf(p.stderr, "error: %s\n", message)
	if hint != "" {
		fmt.Fprintf(p.stderr, "hint: %s\n", hint)
	}
}
