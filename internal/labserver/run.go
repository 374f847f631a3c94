package labserver

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log"
	"os"
	"os/signal"
	"syscall"

	"github.com/spf13/cobra"

	"github.com/deadlinelab/deadlinelab/internal/clock"
	"github.com/deadlinelab/deadlinelab/internal/control"
)

// run serves until a signal or the end of standard input.
func (p *program) run(cmd *cobra.Command) error {
	if err := p.checkFlags(cmd.Flags().Changed); err != nil {
		return err
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	s, closeServer, err := p.server()
	if err != nil {
		return err
	}
	defer closeServer()
	if !p.parentStdin { // else its parent, which has the same limit, sees to it
		p.warnOfFiles(openFiles())
	}
	if p.scenario != "" {
		return p.standalone(ctx, cancel, s)
	}
	return p.underControl(ctx, cancel, s)
}

// checkFlags refuses flags that do not go together.
func (p *program) checkFlags(given func(flag string) bool) error {
	if p.scenario == "" && given("scenario") {
		return refuse(0, "leave it out to serve the control API alone", "--scenario \"\": expected a name or a path")
	}
	if p.scenario == "" && given("listen") {
		return refuse(0, "add --scenario NAME", "--listen is the data address of --scenario, which is missing")
	}
	return nil
}

// server builds the server with what only a real process has.
func (p *program) server() (*Server, func(), error) {
	nudge, err := clock.NewNudge()
	if err != nil {
		return nil, nil, err
	}
	s := New(Config{Clock: clock.New(), Nudge: nudge, Token: p.env(control.TokenEnv), Version: control.Version(),
		Noise: p.scenario == "", ErrorLog: log.New(p.stderr, "labserver: ", 0)})
	return s, func() { s.Close(); nudge.Close() }, nil
}

// underControl serves the control API and prints the ready line.
func (p *program) underControl(ctx context.Context, cancel context.CancelCauseFunc, s *Server) error {
	if p.control == "" {
		p.control = loopbackAny
	}
	base, err := s.Start(p.control)
	if err != nil {
		return err
	}
	line, err := json.Marshal(control.Ready{Ready: true, Control: base, API: control.APIVersion, Version: control.Version(), PID: os.Getpid()})
	if err != nil {
		return err
	}
	if _, err := fmt.Fprintf(p.stdout, "%s\n", line); err != nil {
		return cannotPrint(err)
	}
	return p.await(ctx, cancel)
}

var errParentGone = errors.New("standard input has ended")

// await returns when the process is to end: nil for the end of standard input.
func (p *program) await(ctx context.Context, cancel context.CancelCauseFunc) error {
	if p.parentStdin {
		go func() {
			io.Copy(io.Discard, p.stdin)
			cancel(errParentGone)
		}()
	}
	<-ctx.Done()
	if errors.Is(context.Cause(ctx), errParentGone) {
		return nil
	}
	return errInterrupted
}
