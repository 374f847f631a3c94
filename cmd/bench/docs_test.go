package main

import (
	"fmt"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/deadlinelab/deadlinelab/internal/bench"
	"github.com/deadlinelab/deadlinelab/internal/foreign"
	"github.com/deadlinelab/deadlinelab/schema"
	"gopkg.in/yaml.v3"
)

const (
	ciPage   = "../../docs/ci.md"
	workflow = "../../.github/workflows/deadlinelab.yml"
)

func page(t *testing.T, file string) string {
	t.Helper()
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

var (
	invocation = regexp.MustCompile("(?m)(?:^[ -]*|`|\\()(?:(?:\\.\\./before/)?bin/)?bench ([a-z][^`\n]*)")
	ending     = regexp.MustCompile(` (\|\||&&|>|#).*$`)
)

// Every command in the page and in the workflow is one that bench understands.
func TestCommandsInDocs(t *testing.T) {
	for file, least := range map[string]int{ciPage: 12, workflow: 6, "../../README.md": 7, "../../docs/scenarios.md": 5, "../../docs/reading-a-report.md": 5,
		"../../docs/own-client.md": 7, "../../docs/adapter-protocol.md": 5, "../../docs/workshop.md": 5, "../../docs/comparing-runs.md": 5, "../../docs/variants.md": 1, "../../docs/other-host.md": 1} {
		commands := invocation.FindAllStringSubmatch(page(t, file), -1)
		if len(commands) < least {
			t.Errorf("%s: only %d commands found: %q", file, len(commands), commands)
		}
		for _, c := range commands {
			if err := understood(ending.ReplaceAllString(c[1], "")); err != nil {
				t.Errorf("%s: bench %s: %v", file, c[1], err)
			}
		}
	}
}

// understood parses a command line without running it. A command's bare name
// is a mention.
func understood(line string) error {
	code := 0
	words, err := foreign.Split(line)
	if err != nil {
		return err
	}
	root := newRoot(&code)
	root.InitDefaultCompletionCmd()
	cmd, rest, err := root.Find(words)
	if err != nil {
		return err
	}
	if err := cmd.ParseFlags(rest); err != nil || cmd.HasParent() && !strings.Contains(line, " ") {
		return err
	}
	return cmd.ValidateArgs(cmd.Flags().Args())
}

// The check above can fail.
func TestUnderstood(t *testing.T) {
	for line, want := range map[string]bool{"run --profile smoke": true, "compare a b": true, "compare": true, "compare a": false, "runs": false, "run --no-such": false, "run --exec 'curl -sS {url}'": true, "run --exec 'curl": false} {
		if err := understood(line); (err == nil) != want {
			t.Errorf("bench %s: %v", line, err)
		}
	}
}

type githubWorkflow struct {
	Jobs map[string]struct {
		Steps []struct {
			Run, Uses, If string
		}
	}
}

// Both workflows, the project's own and the one to copy, say what the code
// means, end with it, and upload the run also when it failed.
func TestWorkflows(t *testing.T) {
	blocks := regexp.MustCompile("(?s)```yaml\n(name: deadlines.*?)```").FindStringSubmatch(page(t, ciPage))
	if blocks == nil {
		t.Fatal("the page has no workflow")
	}
	for name, text := range map[string]string{workflow + " promises": page(t, workflow), ciPage + " deadlines": blocks[1]} {
		var w githubWorkflow
		if err := yaml.Unmarshal([]byte(text), &w); err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		job := name[strings.LastIndex(name, " ")+1:]
		var scripts []string
		uploads := false
		for _, s := range w.Jobs[job].Steps {
			scripts = append(scripts, s.Run)
			uploads = uploads || strings.HasPrefix(s.Uses, "actions/upload-artifact@") && s.If == "always()"
		}
		script := strings.Join(scripts, "\n")
		for _, part := range []string{"bin/bench run ", "|| code=$?", `bin/bench exitcode "$code"`, `exit "$code"`} {
			if !strings.Contains(script, part) {
				t.Errorf("%s lacks %q", name, part)
			}
		}
		if !uploads {
			t.Errorf("%s does not always upload the run", name)
		}
	}
}

// The page's tables are what the program says.
func TestTablesInDocs(t *testing.T) {
	text := page(t, ciPage)
	for _, code := range []int{bench.ExitOK, bench.ExitExpectation, bench.ExitRegression, bench.ExitInconclusive, bench.ExitIncomplete, bench.ExitUsage, bench.ExitInternal, bench.ExitInterrupted} {
		if row := fmt.Sprintf("| %d | %s |", code, bench.Meaning(code)); !strings.Contains(text, row) {
			t.Errorf("%s lacks the row %q", ciPage, row)
		}
	}
	var listed []string
	for _, row := range regexp.MustCompile("(?m)^\\| `([a-z]+)` \\|").FindAllStringSubmatch(text[strings.Index(text, "## Schemas"):], -1) {
		listed = append(listed, row[1])
	}
	slices.Sort(listed)
	if !slices.Equal(listed, schema.Names()) {
		t.Errorf("%s lists the schemas %q, there are %q", ciPage, listed, schema.Names())
	}
}
