//go:build unix

package main

import (
	"bytes"
	"errors"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/deadlinelab/deadlinelab/internal/exit"
)

var (
	// elsewhere is where $1 is another one, or has a default.
	elsewhere     = regexp.MustCompile(`(?ms)^\w+\(\) \{\n.*?^\}|^\w+\(\) \{.*\}$|^\w+='\n.*?'$|'[^'\n]*'|^ *#.*?$|\$\{1:\+[^}]*\}`)
	firstArgument = regexp.MustCompile(`\$1\b`)
)

// needsArgument reports whether a script cannot do without its first argument.
func needsArgument(text string) bool {
	return firstArgument.MatchString(elsewhere.ReplaceAllString(text, ""))
}

// A script that is called without what it needs, or with what it does not know,
// says what is missing, not the name of a shell's variable.
func TestScriptsWithoutArguments(t *testing.T) {
	files, err := filepath.Glob("../../scripts/*.sh")
	if err != nil {
		t.Fatal(err)
	}
	asked := 0
	for _, file := range files {
		text := page(t, file)
		switch looks := strings.Contains(text, "[ $# -gt 0 ] ||"); {
		case looks:
			asked++
			refusesArguments(t, file)
		case needsArgument(text):
			t.Errorf("%s uses $1 and does not look whether there is one", file)
		}
	}
	if asked < 6 {
		t.Errorf("%d of %d scripts look for an argument, expected at least 6", asked, len(files))
	}
	refusesArguments(t, "../../scripts/performance.sh", "recordr")
}

// refusesArguments holds a script to exit status 64, an error and a hint.
func refusesArguments(t *testing.T, file string, args ...string) {
	t.Helper()
	var stderr bytes.Buffer
	cmd := exec.Command(file, args...)
	cmd.Stderr = &stderr
	err := cmd.Run()
	var ended *exec.ExitError
	if !errors.As(err, &ended) || ended.ExitCode() != exit.Usage {
		t.Errorf("%s %q: %v, expected exit status %d", file, args, err, exit.Usage)
	}
	if said := stderr.String(); !regexp.MustCompile(`^error: .+\nhint: .+\n$`).MatchString(said) {
		t.Errorf("%s %q says %q, expected an error and a hint", file, args, said)
	}
}
