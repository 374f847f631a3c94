package report

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/deadlinelab/deadlinelab/internal/fixture/inputs"
	"github.com/deadlinelab/deadlinelab/internal/rundir"
	"github.com/deadlinelab/deadlinelab/internal/scenario"
	"github.com/deadlinelab/deadlinelab/internal/timeline"
	"github.com/deadlinelab/deadlinelab/internal/verdict"
	"github.com/deadlinelab/deadlinelab/internal/view"
)

// A failure leads to the scenario's own file and line and to the client's source,
// whether the scenario is embedded or a file, and to the plan of the run only
// where the file is gone or says something else by now.
func TestReferencesOfAFailure(t *testing.T) {
	embedded, err := scenario.ByName("slow_headers")
	if err != nil {
		t.Fatal(err)
	}
	text, err := scenario.Marshal(embedded)
	if err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(t.TempDir(), "slow_headers.yaml")
	write := func(text string) {
		if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	planned, err := scenario.Parse("results/x/plan.yaml", text)
	if err != nil {
		t.Fatal(err)
	}
	write(string(text))
	own, err := scenario.Load(file)
	if err != nil {
		t.Fatal(err)
	}
	const source = "internal/variants/operation_deadline.go"
	in := view.Input{Summary: &verdict.Summary{}, Scenarios: []*scenario.Scenario{planned}, VariantFiles: map[string]string{"operation_deadline": source}, Run: &rundir.Run{Arguments: []string{"run", "slow_headers"}}}
	f := verdict.Finding{Series: verdict.Series{Series: timeline.Series{Scenario: "slow_headers", Variant: "operation_deadline", Label: "D"}}, Check: verdict.Check{Requirement: "outcome", Verdict: verdict.Fail}}
	look := func(when, want string) {
		t.Helper()
		if diff := cmp.Diff([]string{want, source}, []string{in.References(f)[0].Where, in.References(f)[1].Where}); diff != "" {
			t.Errorf("%s (-want +got):\n%s", when, diff)
		}
	}
	look("embedded", embedded.At("expect.operation_deadline.outcome"))
	in.Run.Arguments = []string{"run", file}
	look("a file", own.At("expect.operation_deadline.outcome"))
	other := filepath.Join(filepath.Dir(file), "mine.yaml")
	if err := os.Rename(file, other); err != nil {
		t.Fatal(err)
	}
	in.Run.Arguments[1] = other
	look("a file of another name", strings.Replace(own.At("expect.operation_deadline.outcome"), "slow_headers", "mine", 1))
	if command := in.Next(f); !strings.HasPrefix(command, "bench demo "+other+" ") {
		t.Errorf("%q does not run what was run", command)
	}
	in.Run.Arguments[1] = file
	plan := planned.At("expect.operation_deadline.outcome") + "; " + file
	write(strings.ReplaceAll(string(text), "outcome: deadline_exceeded", "outcome: cancelled"))
	look("a file that has changed", plan+" says something else by now")
	if err := os.Remove(file); err != nil {
		t.Fatal(err)
	}
	look("a file that is gone", plan+" cannot be read now")
	f.Check.Requirement = "require"
	if got := in.References(f); len(got) != 1 || got[0].Where != source {
		t.Errorf("of what no scenario expects: %+v", got)
	}
}

// Every command that a report leads on to calls bench as it was called.
func TestCommandsAsCalled(t *testing.T) {
	in := inputs.Mixed()
	in.Program = "./bin/bench"
	for _, f := range in.Summary.Findings() {
		for _, command := range []string{in.Next(f), in.Again(f)} {
			if command != "" && !strings.HasPrefix(command, "./bin/bench ") {
				t.Errorf("%q", command)
			}
		}
	}
}
