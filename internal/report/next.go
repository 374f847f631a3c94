package report

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"github.com/deadlinelab/deadlinelab/internal/scenario"
)

// next is the command that leads on: after a failure the one that draws such an
// operation, after a doubt the one that measures the series again.
func (in Input) next(f finding) string {
	if c := in.client(f.series.Variant); c != nil {
		verb := map[bool]string{true: "run", false: "demo"}[f.check.Verdict == Inconclusive]
		return fmt.Sprintf("bench %s %s %s", verb, in.argument(f.series.Scenario), c.argument())
	}
	if f.check.Verdict == Inconclusive {
		return fmt.Sprintf("bench run %s --variant %s", in.argument(f.series.Scenario), f.series.Label)
	}
	return fmt.Sprintf("bench demo %s --variant %s", in.argument(f.series.Scenario), f.series.Label)
}

// argument is what stands for a scenario on a command line: its name if it is
// embedded, else the file that the run was given.
func (in Input) argument(name string) string {
	if _, err := scenario.ByName(name); err == nil {
		return name
	}
	files := in.givenFiles()
	for _, file := range files {
		if base := filepath.Base(file); strings.TrimSuffix(base, filepath.Ext(base)) == name {
			return quoted([]string{file})[0]
		}
	}
	if len(files) == 1 {
		return quoted(files)[0]
	}
	return "PATH/" + name + ".yaml" // the logs do not say which of the files it was
}

// givenFiles are the scenario files among the run's arguments.
func (in Input) givenFiles() []string {
	var files []string
	if in.Run != nil {
		for _, a := range in.Run.Arguments {
			if ext := filepath.Ext(a); !strings.HasPrefix(a, "-") && slices.Contains([]string{".yaml", ".yml", ".json"}, ext) {
				files = append(files, a)
			}
		}
	}
	return files
}
