package scenario

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func somePlan() *Plan {
	p := &Plan{Schema: PlanSchema, SchemaVersion: PlanSchemaVersion, Seed: -7, Repeats: 3, Operations: 30, Scenarios: All()}
	for _, s := range p.Scenarios {
		for i, v := range s.Variants {
			p.Cells = append(p.Cells, Cell{Scenario: s.Name, Variant: v, Label: string(rune('A' + i))})
		}
	}
	return p
}

func TestPlanRoundTrip(t *testing.T) {
	p := somePlan()
	text, err := MarshalPlan(p)
	if err != nil {
		t.Fatal(err)
	}
	back, err := ParsePlan("plan.yaml", text)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(p, back, same); diff != "" {
		t.Error(diff)
	}
	if again, _ := MarshalPlan(back); string(again) != string(text) {
		t.Error("not stable")
	}
	last := back.Scenarios[len(back.Scenarios)-1]
	var line, column int
	if _, err := fmt.Sscanf(last.At("operation.budget_ms"), "plan.yaml:%d:%d", &line, &column); err != nil {
		t.Fatal(err)
	}
	if got := strings.Split(string(text), "\n")[line-1][column-1:]; got != fmt.Sprintf("%g", last.Operation.BudgetMs) {
		t.Errorf("the budget's place holds %q, the budget is %g", got, last.Operation.BudgetMs)
	}
}

const smallPlan = `schema: deadlinelab/plan
schema_version: 1.0.0
seed: 1
repeats: 1
operations: 6
cells:
  - {scenario: tiny, variant: a, label: A}
scenarios:
  - name: tiny
    question: Q
    lesson: L
    contrast: [a, b]
    operation: {budget_ms: 1000}
    scenario: {type: healthy}
    variants: [a, b]
    expect: {a: {late: false}, b: {late: false}}
`

func TestBadPlans(t *testing.T) {
	if _, err := ParsePlan("plan.yaml", []byte(smallPlan)); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct{ old, new, want string }{
		{"deadlinelab/plan", "deadlinelab/run", `plan.yaml:1:9: schema: found "deadlinelab/run", expected "deadlinelab/plan"; check that this is a plan.yaml`},
		{"1.0.0", "2.0.0", `plan.yaml:2:17: schema_version: found "2.0.0", expected a version up to that of this program, 1.0.0; use the bench that wrote the plan, or a newer one`},
		{"seed: 1", "seed: x", `plan.yaml:3:7: seed: found "x", expected a whole number; write digits only`},
		{"seed: 1", "speed: 1", `plan.yaml:1:1: seed: found nothing, expected the key seed; take the plan.yaml that the run wrote` + "\n" +
			`plan.yaml:3:1: speed: found an unknown key, expected one of schema, schema_version, seed, repeats, operations, groups, clients, cells, scenarios; did you mean "seed"?`},
		{"operations: 6", "operations: 0", `plan.yaml:5:13: operations: found 0, expected a whole number in 1 … 100000; choose another value`},
		{"scenario: tiny", "scenario: tinny", `plan.yaml:7:16: cells[0].scenario: found "tinny", expected one of the plan's scenarios: tiny; did you mean "tiny"?`},
		{"variant: a", "variant: a b", `plan.yaml:7:31: cells[0].variant: found "a b", expected the name of a variant; bench list --variants shows them`},
		{"budget_ms: 1000", "budget_ms: 0", `plan.yaml:13:28: operation.budget_ms: found 0, expected a finite number in 1 … 120000 ms; choose another value`},
	} {
		_, err := ParsePlan("plan.yaml", []byte(strings.Replace(smallPlan, c.old, c.new, 1)))
		if err == nil || err.Error() != c.want {
			t.Errorf("got\n%v\nwant\n%s", err, c.want)
		}
	}
}

func FuzzParsePlan(f *testing.F) {
	f.Add([]byte(smallPlan))
	f.Fuzz(func(t *testing.T, data []byte) {
		p, err := ParsePlan("p.yaml", data)
		if err != nil {
			return
		}
		text, err := MarshalPlan(p)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := ParsePlan("p.yaml", text); err != nil {
			t.Fatalf("%v\n%s", err, text)
		}
	})
}

// A plan holds more than one file may: scenarios that were accepted one by one
// are read back together.
func TestPlanOfManyScenarios(t *testing.T) {
	p := &Plan{Seed: 1, Repeats: 1, Operations: 1}
	one := All()[0]
	for i := range 400 {
		s := *one
		s.Name, s.Lesson = fmt.Sprintf("s%d", i), strings.Repeat("long ", longestText/5-1)
		p.Scenarios = append(p.Scenarios, &s)
		p.Cells = append(p.Cells, Cell{Scenario: s.Name, Variant: s.Variants[0], Label: "A"})
	}
	text, err := MarshalPlan(p)
	if err != nil || len(text) <= maxBytes {
		t.Fatalf("%v, %d bytes", err, len(text))
	}
	if back, err := ParsePlan("plan.yaml", text); err != nil || len(back.Scenarios) != len(p.Scenarios) {
		t.Error(err)
	}
}
