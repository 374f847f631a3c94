package main

import (
	"bytes"
	"strings"
	"testing"

	"github.com/deadlinelab/deadlinelab/internal/scenario"
	"github.com/deadlinelab/deadlinelab/internal/timeline"
	"github.com/deadlinelab/deadlinelab/internal/verdict"
	"github.com/deadlinelab/deadlinelab/internal/view"
)

// Every derivation names a scenario that is shipped, and a client that takes
// part in it, once.
func TestDerivationsNameWhatIsShipped(t *testing.T) {
	list, err := derivations()
	if err != nil {
		t.Fatal(err)
	}
	seen := map[[2]string]bool{}
	for _, d := range list {
		s, err := scenario.ByName(d.Scenario)
		if err != nil {
			t.Error(err)
			continue
		}
		if _, part := s.Expect[d.Variant]; !part {
			t.Errorf("%s does not take part in %s", d.Variant, d.Scenario)
		}
		if seen[[2]string{d.Scenario, d.Variant}] {
			t.Errorf("%s, %s stands twice", d.Scenario, d.Variant)
		}
		seen[[2]string{d.Scenario, d.Variant}] = true
	}
	if len(seen) < 40 {
		t.Errorf("only %d derivations", len(seen))
	}
}

// What was derived stands beside what the run shows; what it lacks is left out.
func TestDerivedBesideMeasured(t *testing.T) {
	one := func(scenario, variant string) verdict.Series {
		return verdict.Series{Verdict: verdict.Pass, Series: timeline.Series{Scenario: scenario, Variant: variant, N: 10, DurationMs: &timeline.Durations{Median: 2000.6},
			Outcomes: map[string]int{"success": 10}, Attempts: map[string]int{"1": 10}, ServerRequests: map[string]int{"1": 10}}}
	}
	in := WaitsInput{Input: view.Input{Summary: &verdict.Summary{Series: []verdict.Series{one("body_trickle", "header_timeout"), one("drain", "drain_by_bytes"), {Series: timeline.Series{Scenario: "refused", Variant: "operation_deadline"}, Verdict: verdict.Inconclusive}}}}}
	var b bytes.Buffer
	if err := in.derived(&b); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{
		"| [body_trickle](#body_trickle) | header_timeout | success at 2000, late | success 10: 2000.6 ms, attempts 1 × 10, requests 1 × 10 | confirmed |\n",
		"| **corrected:** The body's own 2000 ms",
		"| no valid operation | not shown by this run: inconclusive |\n",
	} {
		if !strings.Contains(b.String(), want) {
			t.Errorf("no %q in\n%s", want, b.String())
		}
	}
	if lines := strings.Count(b.String(), "\n"); lines != 8 {
		t.Errorf("%d lines, three rows expected:\n%s", lines, b.String())
	}
}
