package lab

import (
	"errors"
	"fmt"
	"io/fs"
	"os"

	"github.com/deadlinelab/deadlinelab/internal/scenario"
)

// ScenarioHint is the next step after a scenario that could not be loaded: a
// file that was read and refused needs another one than a name that is unknown.
func ScenarioHint(err error, names []string) string {
	if !errors.Is(err, scenario.ErrUnknown) && !errors.Is(err, fs.ErrNotExist) {
		return "docs/scenarios.md has every key; `bench show slow_headers` prints a complete file"
	}
	for _, name := range names {
		if info, err := os.Stat(name + ".yaml"); err == nil && !info.IsDir() {
			return fmt.Sprintf("there is a file %s.yaml: name it with its ending", name)
		}
	}
	return "`bench list` shows the scenarios; a path contains / or ends in .yaml"
}
