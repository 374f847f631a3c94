package view

import (
	"cmp"
	"path/filepath"
	"slices"
	"strings"

	"github.com/deadlinelab/deadlinelab/internal/eventlog"
	"github.com/deadlinelab/deadlinelab/internal/scenario"
	"github.com/deadlinelab/deadlinelab/internal/textui"
	"github.com/deadlinelab/deadlinelab/internal/verdict"
)

// Next is the command that leads on: after a failure the one that draws such an
// operation, after a doubt the one that measures the series again.
func (in Input) Next(f verdict.Finding) string {
	c := in.Client(f.Series.Variant)
	switch doubt := f.Check.Verdict == verdict.Inconclusive; {
	case c != nil && c.Kind == eventlog.AdapterClient && f.Series.Broken > 0 && f.Series.N == 0:
		return in.Bench("client check ") + textui.Quote(c.NamedCommand())
	case c != nil && c.Kind == eventlog.ExecClient && doubt && f.Series.StartupMs == nil:
		return in.demo("healthy", f) // a client that never started well is shown where nothing waits
	case doubt:
		return in.measure(f)
	}
	return in.demo(f.Series.Scenario, f)
}

// Again is the command that judges a failed series anew, for when what failed
// has been fixed; empty where next is that command.
func (in Input) Again(f verdict.Finding) string {
	if f.Check.Verdict == verdict.Inconclusive {
		return ""
	}
	return in.measure(f)
}

// Bench is a command of this program as it was called: who started it by a path
// may have no bench in PATH.
func (in Input) Bench(command string) string { return cmp.Or(in.Program, "bench") + " " + command }

func (in Input) demo(scenario string, f verdict.Finding) string {
	return in.Bench("demo ") + in.argument(scenario) + " " + in.who(f) + in.where()
}

func (in Input) measure(f verdict.Finding) string {
	command := in.Bench("run ") + in.argument(f.Series.Scenario) + " " + in.who(f)
	if in.Run != nil && in.Run.Require != "" {
		command += " --require " + in.Run.Require
	}
	return command + in.where()
}

// who names the series' client as the run was told of it.
func (in Input) who(f verdict.Finding) string {
	c := in.Client(f.Series.Variant)
	switch {
	case c == nil:
		return "--variant " + f.Series.Label
	case c.Manifest != "":
		return "--clients " + textui.Quote(c.Manifest+":"+c.Name) + in.outcomesOf(c)
	}
	command := c.NamedCommand()
	if slices.Contains(in.given(c.Flag()), c.Called()) {
		command = c.Called()
	}
	return c.Flag() + " " + textui.Quote(command) + in.outcomesOf(c)
}

// outcomesOf repeats what the run was told of the exit statuses of a client.
func (in Input) outcomesOf(c *verdict.Client) (flags string) {
	if c.Kind != eventlog.ExecClient {
		return ""
	}
	for _, value := range in.given("--exec-outcome") {
		if name, _, named := strings.Cut(value, ":"); !named || name == c.Name {
			flags += " --exec-outcome " + textui.Quote(value)
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
			flags += " " + flag + " " + textui.Quoted(values[len(values)-1:])[0]
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
		return textui.Quote(source)
	}
	return "PATH/" + name + ".yaml"
}

// source is the file or the name by which the run was given a scenario; empty
// where the logs do not say which of several files it was.
func (in Input) source(name string) string {
	files := in.GivenFiles()
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

// GivenFiles are the scenario files among the run's arguments.
func (in Input) GivenFiles() (files []string) {
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
