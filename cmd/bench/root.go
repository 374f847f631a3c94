package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"syscall"

	"github.com/deadlinelab/deadlinelab/internal/console"
	"github.com/deadlinelab/deadlinelab/internal/control"
	"github.com/deadlinelab/deadlinelab/internal/exit"
	"github.com/spf13/cobra"
)

// The rules of this command line. Results go to standard output; progress,
// notes and errors go to standard error. An error is one line `error: …`,
// followed by `hint: …` when there is a next step. Exit codes are those of
// internal/exit: never 1 or 2.

// run is the whole program as a function of its arguments and streams.
func run(args []string, stdin io.Reader, stdout, stderr io.Writer) int {
	if len(args) > 0 && args[0] == "labserver" {
		return labserver(args[1:], stdin, stdout, stderr)
	}
	keepWriting()
	code := exit.OK
	root := newRoot(&code)
	root.SetArgs(args)
	root.SetIn(stdin)
	root.SetOut(stdout)
	root.SetErr(stderr)
	started := false
	root.PersistentPreRunE = func(cmd *cobra.Command, _ []string) error {
		started = true
		if measuring[cmd.CommandPath()] {
			cmd.SetContext(interruptible())
		}
		return refuseEmptyLists(cmd)
	}
	if cmd, err := root.ExecuteContextC(context.Background()); err != nil {
		return fail(streams(root).Err, cmd, err, started)
	}
	return code
}

// measuring are the commands that start something, or wait for something, and
// have to put it in order before they end. All others leave signals what they
// are: they end at the first one, whatever they are reading or writing.
var measuring = map[string]bool{"bench run": true, "bench demo": true, "bench doctor": true, "bench serve": true, "bench plan": true,
	"bench client check": true, "bench client list": true}

// interruptible is a context that ends at the first SIGINT or SIGTERM, or when
// the terminal is closed. The second one ends the process on the spot, for
// whoever does not want to wait, also where a shell in the background makes its
// children ignore SIGINT. Under nohup a closed terminal ends nothing.
func interruptible() context.Context {
	ctx, cancel := context.WithCancel(context.Background())
	signals := make(chan os.Signal, 2)
	signal.Notify(signals, os.Interrupt, syscall.SIGTERM)
	if !signal.Ignored(syscall.SIGHUP) {
		signal.Notify(signals, syscall.SIGHUP)
	}
	go func() {
		<-signals
		cancel()
		<-signals
		os.Exit(exit.Interrupted)
	}()
	return ctx
}

// fail prints an error that no command has printed and returns its code. What
// cobra refuses before a command has started (unknown command, flag or
// argument) is a usage error; what a command did not classify is a defect.
func fail(stderr io.Writer, cmd *cobra.Command, err error, started bool) int {
	var e *exit.Error
	switch {
	case errors.As(err, &e):
	case started:
		e = &exit.Error{Code: exit.Internal, Err: err}
	default:
		e = &exit.Error{Code: exit.Usage, Err: plainly(err), Hint: "see `" + cmd.CommandPath() + " --help`"}
	}
	fmt.Fprintln(stderr, "error:", e.Err)
	if e.Hint != "" {
		fmt.Fprintln(stderr, "hint:", e.Hint)
	}
	return e.Code
}

// newRoot builds the command tree. code is what the chosen command ends with.
func newRoot(code *int) *cobra.Command {
	root := &cobra.Command{
		Use:   "bench",
		Short: "Does your HTTP client keep the time it promised its caller?",
		Long: `bench runs operations of HTTP client variants against an upstream that scripts
every hidden wait, merges the client's and the server's event log into one
timeline per operation, and judges whether the caller got an answer or an error
within its budget.`,
		Example: `  bench list
  bench demo semaphore_wait
  bench run --operations 30 --repeats 3`,
		Version:       control.Version(),
		Args:          onlyCommands,
		RunE:          func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
		SilenceErrors: true,
		SilenceUsage:  true,
	}
	root.PersistentFlags().Bool(asciiFlag, false, "write ASCII characters only where a person reads; =false for Unicode (default: by the locale: LC_ALL, LC_CTYPE, LANG)")
	root.AddCommand(
		newList(), newPlan(), newDemo(code), newRun(code), newAnalyze(code), newReport(code), newValidate(code), newCompare(code), newShow(), newServe(code),
		newDoctor(code), newExitcode(), newSchema(), newClient(code),
	)
	decimalOnly(root)
	return root
}

const asciiFlag = "ascii"

// streams are the standard streams of a command.
func streams(cmd *cobra.Command) console.Streams {
	s := console.NewStreams(cmd.InOrStdin(), cmd.OutOrStdout(), cmd.ErrOrStderr(), os.Getenv).Called(program)
	if inASCII(cmd) {
		return s.InASCII()
	}
	return s
}

// inASCII is what the flag says, or the locale without it.
func inASCII(cmd *cobra.Command) bool {
	flag := cmd.Root().PersistentFlags().Lookup(asciiFlag)
	if flag.Changed {
		return flag.Value.String() == "true"
	}
	return console.ASCIILocale(os.Getenv)
}
