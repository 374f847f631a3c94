package extclient

import (
	"fmt"
	"os"
	"testing"

	"go.uber.org/goleak"
)

// programs are what the test binary can be instead of itself: `binary as NAME
// ARG…` calls the one with the name. Files with tests of processes add theirs.
var programs = map[string]func(args []string){}

// as is the command line of one of them.
func as(name string, args ...string) []string {
	return append([]string{self, "as", name}, args...)
}

var self, _ = os.Executable()

func TestMain(m *testing.M) {
	if len(os.Args) > 2 && os.Args[1] == "as" {
		f, ok := programs[os.Args[2]]
		if !ok {
			fmt.Fprintln(os.Stderr, "no such program:", os.Args[2])
			os.Exit(99)
		}
		f(os.Args[3:])
		os.Exit(0)
	}
	goleak.VerifyTestMain(m)
}

// missing leaves a test out where the machine lacks what it needs. CI has it all:
// there a test that is left out would hide something.
func missing(t *testing.T, what ...any) {
	t.Helper()
	if os.Getenv("CI") != "" {
		t.Fatal(what...)
	}
	t.Skip(what...)
}
