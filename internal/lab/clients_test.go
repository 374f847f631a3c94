package lab

import (
	"errors"
	"github.com/deadlinelab/deadlinelab/internal/exit"
	"os/exec"
	"testing"
)

// What builds a manifest's clients is the next step where a file is missing, not
// where a program of PATH is.
func TestStartHint(t *testing.T) {
	for program, want := range map[string]string{
		"bin/not-built-yet": "`make it` builds or installs what is missing",
		"no-such-program":   "is it installed, and in PATH?",
	} {
		_, err := exec.LookPath(program)
		c, err := gather(t.Context(), []startedClient{{}, {err: err, install: "make it"}})
		var e *exit.Error
		if c != nil || !errors.As(err, &e) || e.Code != exit.Usage || e.Hint != want {
			t.Errorf("%s: %v, %+v; want the hint %q", program, c, err, want)
		}
	}
}
