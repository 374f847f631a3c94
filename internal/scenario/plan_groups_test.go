package scenario

import (
	"strings"
	"testing"
)

// A plan keeps its groups, and one without has no such key.
func TestPlanGroups(t *testing.T) {
	p := &Plan{Repeats: 1, Operations: 10, Groups: 2, Scenarios: Core()[:1]}
	p.Cells = []Cell{{Scenario: p.Scenarios[0].Name, Variant: "operation_deadline", Label: "D"}}
	text, err := MarshalPlan(p)
	if err != nil {
		t.Fatal(err)
	}
	back, err := ParsePlan("plan.yaml", text)
	if err != nil || back.Groups != 2 {
		t.Fatalf("%v: %+v", err, back)
	}
	many := &Scenario{Callers: &Callers{Count: 50}}
	if back.ItemsOf(many) != 2 || back.ItemsOf(&Scenario{}) != 10 {
		t.Errorf("%d groups, %d operations", back.ItemsOf(many), back.ItemsOf(&Scenario{}))
	}
	p.Groups = 0
	if text, err = MarshalPlan(p); err != nil || strings.Contains(string(text), "groups") || p.ItemsOf(many) != 10 {
		t.Errorf("%v\n%s", err, text)
	}
}
