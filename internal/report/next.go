package report

import (
	"cmp"
	"path/filepath"
	"slices"
	"strings"

	"github.com/deadlinelab/deadlinelab/internal/eventlog"
	"github.com/deadlinelab/deadlinelab/internal/scenario"
)

// next is the command that leads on: after a failure the one that draws such an
// operation, after a doubt the one that measures the series again.
func (in Input) next(f finding) string {
	c := in.client(f.series.Variant)
	switch doubt := f.check.Verdict == Inconclusive; {
	case c != nil && c.Kind == eventlog.AdapterClient && f.series.Broken > 0 && f.series.N == 0:
		return in.bench("client check ") + quoted([]string{c.command()})[0]
	case c != nil && c.Kind == eventlog.ExecClient && doubt && f.series.StartupMs == nil:
		return in.demo("healthy", f) // a client that never started well is shown where nothing waits
	case doubt:
		return in.measure(f)
	}
	return in.demo(f.series.Scenario, f)
}

// again is the command that judges a failed series anew, for when what failed
// has been fixed; empty where next is that command.
func (in Input) again(f finding) string {
	if f.check.Verdict == Inconclusive {
		return ""
	}
	return in.measure(f)
}

// bench is a command of this program as it was called: who started it by a path
// may have no bench in PATH.
func (in Input) bench(command string) string { return cmp.Or(in.Program, "bench") + " " + command }

func (in Input) demo(scenario string, f finding) string {
	return in.bench("demo ") + in.argument(scenario) + " " + in.who(f) + in.where()
}

func (in Input) measure(f finding) string {
	command := in.bench("run ") + in.argument(f.series.Scenario) + " " + in.who(f)
	if in.Run != nil && in.Run.Require != "" {
		command += " --require " + in.Run.Require
	}
	return command + in.where()
}

// who names the series' client as the run was told of it.
func (in Input) who(f finding) string {
	c := in.client(f.series.Variant)
	switch {
	case c == nil:
		return "--variant " + f.series.Label
	case c.Manifest != "":
		return "--clients " + quoted([]string{c.Manifest + ":" + c.Name})[0] + in.outcomesOf(c)
	}
	command := c.command()
	if slices.Contains(in.given(c.flag()), c.Called()) {
		command = c.Called()
	}
	return c.flag() + " " + quoted([]string{command})[0] + in.outcomesOf(c)
}

// outcomesOf repeats what the run was told of the exit statuses of a client.
func (in Input) outcomesOf(c *Client) (flags string) {
	if c.Kind != eventlog.ExecClient {
		return ""
	}
	for _, value := range in.given("--exec-outcome") {
		if name, _, named := strings.Cut(value, ":"); !named || name == c.Name {
			flags += " --exec-outcome " + quoted([]string{value})[0]
		}
	}
	return flags
}

// where repeats what else the upstream's behaviour hangs on: a labserver that
// runs elsewhere, and the seed of jitter. How many operations there were is not
// repeated: as many as a run makes by itself are enough for any verdict.
func (in Input) where() (flags string) {
	for _, flag := range []string{"--labserver", "--token-file", "--seed"} {
		if values := in.given(flag); len(values) > 0 {
			flags += " " + flag + " " + quoted(values[len(values)-1:])[0]
		}
	}
	return flags
}

// given are the values of a flag among the run's arguments.
func (in Input) given(flag string) (values []string) {
	if in.Run == nil {
		return nil
	}
	for i, a := range in.Run.Arguments {
		if value, ok := strings.CutPrefix(a, flag+"="); ok {
			values = append(values, value)
		} else if a == flag && i+1 < len(in.Run.Arguments) {
			values = append(values, in.Run.Arguments[i+1])
		}
	}
	return values
}

// argument is what stands for a scenario on a command line: the file that the
// run was given, or its name if it is embedded.
func (in Input) argument(name string) string {
	if source := in.source(name); source != "" {
		return quoted([]string{source})[0]
	}
	return "PATH/" + name + ".yaml"
}

// source is the file or the name by which the run was given a scenario; empty
// where the logs do not say which of several files it was.
func (in Input) source(name string) string {
	files := in.givenFiles()
	for _, file := range files {
		if base := filepath.Base(file); strings.TrimSuffix(base, filepath.Ext(base)) == name {
			return file
		}
	}
	for _, file := range files {
		if s, err := scenario.Load(file); err == nil && s.Name == name {
			return file
		}
	}
	if _, err := scenario.ByName(name); err == nil {
		return name
	}
	if len(files) == 1 {
		return files[0]
	}
	return ""
}

// withFiles are the flags of a run whose values may look like scenario files.
var withFiles = []string{"--clients", "--client", "--exec", "--format", "-f", "--token-file", "--out"}

// scenarioFiles are the names that the files of scenarios have.
var scenarioFiles = []string{".yaml", ".yml", ".json"}

// givenFiles are the scenario files among the run's arguments.
func (in Input) givenFiles() (files []string) {
	if in.Run == nil {
		return nil
	}
	var values []string
	for _, flag := range withFiles {
		values = append(values, in.given(flag)...)
	}
	for _, a := range in.Run.Arguments {
		if !strings.HasPrefix(a, "-") && !slices.Contains(values, a) && slices.Contains(scenarioFiles, filepath.Ext(a)) {
			files = append(files, a)
		}
	}
	return files
}
