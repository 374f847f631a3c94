package main

import (
	"os"
	"os/signal"
	"slices"
	"strconv"
	"syscall"
	"testing"

	"github.com/deadlinelab/deadlinelab/internal/exit"
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
		Cmds:                map[string]func(*testscript.TestScript, bool, []string){"exits": exits, "judges": judges, "fits": fits},
		Setup: func(env *testscript.Env) error {
			env.Values[theTest{}] = env.T()
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
	if got := exitCode(ts.Exec(args[1], args[2:]...)); args[0] != "any" {
		expect(ts, got, args)
	}
}

func expect(ts *testscript.TestScript, got int, args []string) {
	want, bad := strconv.Atoi(args[0])
	ts.Check(bad)
	if got != want {
		ts.Fatalf("exit %d, expected %d: %v", got, want, args[1:])
	}
}

// theTest is the key of the test that a script is.
type theTest struct{}

// judges CODE COMMAND… --out DIR is exits for a run whose verdict is the point.
// One that a busy machine leaves inconclusive is measured again, at most twice.
// What is inconclusive then is no fault of the bench: the rest of the script,
// which is about what was measured, is skipped and says so.
func judges(ts *testscript.TestScript, neg bool, args []string) {
	out := slices.Index(args, "--out") + 1
	if neg || len(args) < 4 || out == 0 {
		ts.Fatalf("usage: judges CODE COMMAND [ARG…] --out DIR")
	}
	got := exit.Inconclusive
	for try := 0; try < 3 && got == exit.Inconclusive; try++ {
		ts.Check(os.RemoveAll(ts.MkAbs(args[out])))
		got = exitCode(ts.Exec(args[1], args[2:]...))
	}
	if got == exit.Inconclusive {
		ts.Value(theTest{}).(testscript.T).Skip("three runs were inconclusive, the machine is too busy to judge: ", args[1:])
	}
	expect(ts, got, args)
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
