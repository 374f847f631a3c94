package scenario

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// What a command line can hold reads back from a plan as it was.
func TestPlanClientsRoundTrip(t *testing.T) {
	p := &Plan{Schema: PlanSchema, SchemaVersion: PlanSchemaVersion, Repeats: 1, Operations: 10, Scenarios: Core()[:1]}
	p.Clients = []Client{
		{Name: "curl", Kind: "exec", Command: []string{"curl", "", "null", "~", "123", "1e3", "true", "-", ": ", "# x", "{url}", "[a, b]", "a\nb\t'\"", "ä\u00a0€", "%1", "&a", "*a", "!x", "2026-01-02"},
			Capabilities: []string{"cancel"}, Outcomes: []ExitOutcome{{28, "deadline_exceeded"}, {-1, "client_error"}}},
		{Name: "aiohttp", Kind: "adapter", Command: []string{"python3"}, Program: "aiohttp", Version: "3.8", Language: "Python 3.11",
			Settings: []ClientSetting{{"timeout", "total 400 ms"}, {"retries", "2"}}, Clock: "none"},
	}
	p.Cells = []Cell{{Scenario: p.Scenarios[0].Name, Variant: "curl", Label: "curl", NotApplicable: "the client has no slots that the bench could occupy: none"},
		{Scenario: p.Scenarios[0].Name, Variant: "aiohttp", Label: "aiohttp"}}
	text, err := MarshalPlan(p)
	if err != nil {
		t.Fatal(err)
	}
	back, err := ParsePlan("plan.yaml", text)
	if err != nil {
		t.Fatalf("%v\n%s", err, text)
	}
	if diff := cmp.Diff(p, back, same); diff != "" {
		t.Errorf("%s\n%s", diff, text)
	}
}

func TestBadPlanClients(t *testing.T) {
	const client = "clients:\n  - name: curl\n    kind: exec\n    command: [curl]\n    outcomes: [{status: 28, outcome: deadline_exceeded}]\ncells:"
	good := strings.Replace(smallPlan, "cells:", client, 1)
	if _, err := ParsePlan("plan.yaml", []byte(good)); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct{ old, new, want string }{
		{"kind: exec", "kind: adaptor", `plan.yaml:8:11: clients[0].kind: found "adaptor", expected one of exec, adapter; did you mean "adapter"?`},
		{"name: curl", "name: the curl", `plan.yaml:7:11: clients[0].name: found "the curl", expected the name of a variant; bench list --variants shows them`},
		{"deadline_exceeded", "fine", `plan.yaml:10:38: clients[0].outcomes[0].outcome: found "fine", expected one of success, deadline_exceeded`},
		{"status: 28", "status: x", `plan.yaml:10:25: clients[0].outcomes[0].status: found "x", expected a whole number; write digits only`},
		{"cells:", "  - {name: curl, kind: exec, command: []}\ncells:", `plan.yaml:11:12: clients[1].name: found "curl" a second time, expected each name once; rename or remove it`},
		{"command:", "commands:", `plan.yaml:9:5: clients[0].commands: found an unknown key`},
	} {
		_, err := ParsePlan("plan.yaml", []byte(strings.Replace(good, c.old, c.new, 1)))
		if err == nil || !strings.HasPrefix(err.Error(), c.want) {
			t.Errorf("got\n%v\nwant\n%s", err, c.want)
		}
	}
}
