package main

import (
	"fmt"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/deadlinelab/deadlinelab/internal/exit"
	"github.com/deadlinelab/deadlinelab/internal/extclient"
	"github.com/deadlinelab/deadlinelab/schema"
	"gopkg.in/yaml.v3"
)

const (
	ciPage        = "../../docs/ci.md"
	ownClientPage = "../../docs/own-client.md"
	workflow      = "../../.github/workflows/deadlinelab.yml"
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
	words, err := extclient.Split(line)
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

type githubWorkflow struct{ Jobs map[string]githubJob }

type githubJob struct {
	Steps []struct {
		Run, Uses, If string
		With          map[string]string
	}
}

// workflows are the project's own and those to copy, by the file that holds them.
func workflows(t *testing.T) map[string]githubWorkflow {
	t.Helper()
	texts := map[string]string{workflow: page(t, workflow)}
	for _, file := range []string{ciPage, ownClientPage} {
		block := regexp.MustCompile("(?s)```yaml\n(name: .*?)```").FindStringSubmatch(page(t, file))
		if block == nil {
			t.Fatalf("%s has no workflow", file)
		}
		texts[file] = block[1]
	}
	parsed := map[string]githubWorkflow{}
	for file, text := range texts {
		var w githubWorkflow
		if err := yaml.Unmarshal([]byte(text), &w); err != nil {
			t.Fatalf("%s: %v", file, err)
		}
		parsed[file] = w
	}
	return parsed
}

// Every job that runs bench says what its code means, ends with it, and uploads
// what bench wrote, all of it, also when it failed.
func TestWorkflows(t *testing.T) {
	for file, w := range workflows(t) {
		jobs := 0
		for name, job := range w.Jobs {
			if script := job.script(); strings.Contains(script, "bench run ") {
				jobs++
				for _, flaw := range job.flaws(script) {
					t.Errorf("%s, job %s: %s", file, name, flaw)
				}
			}
		}
		if jobs == 0 {
			t.Errorf("%s: no job runs bench", file)
		}
	}
}

func (j githubJob) script() string {
	var scripts []string
	for _, s := range j.Steps {
		scripts = append(scripts, s.Run)
	}
	return strings.Join(scripts, "\n")
}

var writtenFile = regexp.MustCompile(` (?:--out|-o) (\S+)| --format [a-z]+=(\S+)`)

func (j githubJob) flaws(script string) (flaws []string) {
	for _, part := range []string{"|| code=$?", `bench exitcode "$code"`, `exit "$code"`} {
		if !strings.Contains(script, part) {
			flaws = append(flaws, "it lacks "+part)
		}
	}
	uploaded := ""
	for _, s := range j.Steps {
		if strings.HasPrefix(s.Uses, "actions/upload-artifact@") && s.If == "always()" {
			uploaded = s.With["path"]
		}
	}
	ofBench := regexp.MustCompile(`(?m)^.*go build .*$`).ReplaceAllString(script, "")
	for _, m := range writtenFile.FindAllStringSubmatch(ofBench, -1) {
		if file := m[1] + m[2]; uploaded == "" || file != uploaded && !strings.HasPrefix(file, uploaded+"/") {
			flaws = append(flaws, fmt.Sprintf("it writes %s and uploads %q", file, uploaded))
		}
	}
	return flaws
}

// The check above can fail.
func TestFlawsOfWorkflow(t *testing.T) {
	var w githubWorkflow
	text := "jobs: {a: {steps: [{run: 'bin/bench run --out run --format junit=junit.xml || code=$?; bench exitcode \"$code\"; exit \"$code\"'}, {uses: actions/upload-artifact@v4, if: always(), with: {path: run}}]}}"
	if err := yaml.Unmarshal([]byte(text), &w); err != nil {
		t.Fatal(err)
	}
	if flaws := w.Jobs["a"].flaws(w.Jobs["a"].script()); !slices.Equal(flaws, []string{`it writes junit.xml and uploads "run"`}) {
		t.Errorf("found %q", flaws)
	}
}

// The page's tables are what the program says.
func TestTablesInDocs(t *testing.T) {
	text := page(t, ciPage)
	var rows []string
	for _, code := range exit.Codes() {
		meaning, err := exit.Meaning(code)
		if err != nil {
			t.Error(err)
		}
		rows = append(rows, fmt.Sprintf("| %d | %s |", code, meaning))
	}
	if found := regexp.MustCompile(`(?m)^\| \d+ \|.*$`).FindAllString(text, -1); !slices.Equal(found, rows) {
		t.Errorf("%s has the rows %q, expected %q", ciPage, found, rows)
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
