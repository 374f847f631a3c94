package report

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"github.com/deadlinelab/deadlinelab/internal/eventlog"
	"github.com/deadlinelab/deadlinelab/internal/scenario"
)

// next is the command that leads on: after a failure the one that draws such an
// operation, after a doubt the one that measures the series again.
func (in Input) next(f finding) string {
	if c := in.client(f.series.Variant); c != nil {
		return in.nextAbroad(f, c)
	}
	if f.check.Verdict == Inconclusive {
		return fmt.Sprintf("bench run %s --variant %s", in.argument(f.series.Scenario), f.series.Label)
	}
	return fmt.Sprintf("bench demo %s --variant %s", in.argument(f.series.Scenario), f.series.Label)
}

// nextAbroad is next for a client in a process of its own: one that broke in every
// call is held against the protocol, and one that never started well is shown
// under an upstream without a fault.
func (in Input) nextAbroad(f finding, c *Client) string {
	verb, name := "demo", in.argument(f.series.Scenario)
	switch {
	case f.series.Broken > 0 && f.series.N == 0 && c.Kind == eventlog.AdapterClient:
		return strings.Replace(c.argument(), "--client", "bench client check", 1)
	case f.check.Verdict == Inconclusive && c.Kind == eventlog.ExecClient && f.series.StartupMs == nil:
		name = "healthy"
	case f.check.Verdict == Inconclusive:
		verb = "run"
	}
	return fmt.Sprintf("bench %s %s %s", verb, name, c.argument()) + in.outcomesOf(c)
}

// outcomesOf repeats what the run was told of the exit statuses of a client.
func (in Input) outcomesOf(c *Client) (flags string) {
	const flag = "--exec-outcome"
	if in.Run == nil || c.Kind != eventlog.ExecClient {
		return ""
	}
	for i, a := range in.Run.Arguments {
		value, ok := strings.CutPrefix(a, flag+"=")
		if a == flag && i+1 < len(in.Run.Arguments) {
			value, ok = in.Run.Arguments[i+1], true
		}
		if name, _, named := strings.Cut(value, ":"); ok && (!named || name == c.Name) {
			flags += " " + flag + " " + quoted([]string{value})[0]
		}
	}
	return flags
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
