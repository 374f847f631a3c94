package analysis

import (
	"slices"
	"testing"

	"github.com/deadlinelab/deadlinelab/internal/scenario"
)

// A scenario has changed when what is measured has, not when its words have.
func TestChangedSettings(t *testing.T) {
	j := Judged{analysis: &Run{plan: &scenario.Plan{Scenarios: scenario.Core()}}}
	now := scenario.Core()
	for _, s := range now {
		switch s.Name {
		case "slow_body":
			s.Operation.BudgetMs++
		case "slow_headers":
			s.Lesson, s.Question, s.Expect = "another", "another?", nil
		}
	}
	now = append(now, &scenario.Scenario{Name: "never_run"})
	if got := j.Changed(now); !slices.Equal(got, []string{"slow_body"}) {
		t.Errorf("changed: %q", got)
	}
}
