package app

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/deadlinelab/deadlinelab/internal/analysis"
	"github.com/deadlinelab/deadlinelab/internal/console"
	"github.com/deadlinelab/deadlinelab/internal/exit"
	"github.com/deadlinelab/deadlinelab/internal/lab"
	"github.com/deadlinelab/deadlinelab/internal/scenario"
)

// Validate checks run directories and scenario files: 0 valid, 10 violated.
func Validate(s console.Streams, targets []string) (int, error) {
	code := exit.OK
	for _, target := range targets {
		valid, err := validateOne(s, target)
		if err != nil {
			return 0, err
		}
		if !valid {
			code = exit.Expectation
		}
	}
	return code, nil
}

func validateOne(s console.Streams, target string) (bool, error) {
	info, err := os.Stat(target)
	if err == nil && info.IsDir() || errors.Is(err, os.ErrNotExist) && namesDirectory(target) {
		return analysis.ValidateRun(s, target)
	}
	sc, err := scenario.Load(target)
	if err != nil {
		return false, exit.Usagef(targetHint(err, target), "%w", err)
	}
	if _, err := (lab.Selection{Scenarios: []string{target}, Repeats: 1, Operations: 1}).Plan(); err != nil {
		return false, err
	}
	_, err = fmt.Fprintf(s.Text(), "%s: valid, %d variants with an expectation\n", sc.File, len(sc.Expect))
	return err == nil, err
}

// targetHint says what a target may be, unless one was found and refused.
func targetHint(err error, target string) string {
	if errors.Is(err, scenario.ErrUnknown) {
		return "a target is a run directory, a .yaml file or the name of a scenario"
	}
	return lab.ScenarioHint(err, []string{target})
}

// namesDirectory tells what was meant by a path that does not exist.
func namesDirectory(target string) bool {
	return filepath.Ext(target) == "" && strings.ContainsAny(target, "/"+string(filepath.Separator))
}
