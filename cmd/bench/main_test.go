package main

import (
	"os"
	"os/signal"
	"strconv"
	"syscall"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"
)

func TestMain(m *testing.M) {
	testscript.Main(m, map[string]func(){"bench": main, "myclient": ownClient, "myadapter": ownAdapter})
}

// Every command, its output and its exit code, as scripts.
func TestScripts(t *testing.T) {
	hearHangups()
	testscript.Run(t, testscript.Params{
		Dir:                 "testdata/script",
		RequireExplicitExec: true,
		RequireUniqueNames:  true,
		Cmds:                map[string]func(*testscript.TestScript, bool, []string){"exits": exits, "fits": fits},
		Setup: func(env *testscript.Env) error {
			env.Setenv("HOME", env.WorkDir)
			return nil
		},
	})
}

// hearHangups undoes what nohup did to the tests: an ignored signal would be
// handed on to every bench, which respects it.
func hearHangups() {
	if signal.Ignored(syscall.SIGHUP) {
		signal.Notify(make(chan os.Signal, 1), syscall.SIGHUP)
	}
}

// exits CODE COMMAND… fails unless the command exits with exactly CODE; the code
// "any" is for a run whose verdict is not the point.
func exits(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 2 {
		ts.Fatalf("usage: exits CODE COMMAND [ARG…]")
	}
	err := ts.Exec(args[1], args[2:]...)
	if args[0] == "any" {
		return
	}
	want, bad := strconv.Atoi(args[0])
	ts.Check(bad)
	if got := exitCode(err); got != want {
		ts.Fatalf("exit %d, expected %d: %v", got, want, args[1:])
	}
}

func exitCode(err error) int {
	if err == nil {
		return 0
	}
	if e, ok := err.(interface{ ExitCode() int }); ok {
		return e.ExitCode()
	}
	return -1
}
