package lab

import (
	"slices"
	"strings"
	"testing"

	"github.com/deadlinelab/deadlinelab/internal/exit"
	"github.com/deadlinelab/deadlinelab/internal/scenario"
)

func namesOf(list []*scenario.Scenario) []string {
	var names []string
	for _, s := range list {
		names = append(names, s.Name)
	}
	return names
}

func TestOnRungs(t *testing.T) {
	for _, test := range []struct {
		rungs []string
		has   []string
		lacks []string
	}{
		{[]string{"body"}, []string{"slow_body"}, []string{"slow_headers", "healthy"}},
		{[]string{"pool", "admission"}, []string{"semaphore_wait", "hang_after_the_queue", "pool_wait"}, []string{"slow_body"}},
		{[]string{"core"}, namesOf(scenario.Core()), []string{"hang_after_the_queue"}},
		{[]string{"all"}, ScenarioNames(), nil},
	} {
		list, err := OnRungs(test.rungs)
		if err != nil {
			t.Fatal(err)
		}
		names := namesOf(list)
		for _, want := range test.has {
			if !slices.Contains(names, want) {
				t.Errorf("%v lacks %s: %v", test.rungs, want, names)
			}
		}
		for _, other := range test.lacks {
			if slices.Contains(names, other) {
				t.Errorf("%v holds %s", test.rungs, other)
			}
		}
		if once := slices.Compact(slices.Sorted(slices.Values(names))); len(once) != len(names) {
			t.Errorf("%v holds one twice: %v", test.rungs, names)
		}
	}
}

func TestRungIsRefused(t *testing.T) {
	if _, err := (Selection{Rungs: []string{"bodi"}}).scenarios(); err == nil || !strings.Contains(err.Error(), `did you mean "body"`) {
		t.Errorf("an unknown rung: %v", err)
	}
	_, err := (Selection{Rungs: []string{"tls"}}).scenarios()
	if e, _ := err.(*exit.Error); e == nil || strings.Contains(e.Error(), "did you mean") || !strings.Contains(e.Hint, "expected one of healthy, admission, pool, ") {
		t.Errorf("a rung that is near to none: %v, expected no guess and a list of the rungs", err)
	}
	if _, err := (Selection{Rungs: []string{"body"}, Scenarios: []string{"slow_body"}}).scenarios(); err == nil || exit.CodeOf(err) != exit.Usage {
		t.Errorf("a rung and a scenario: %v", err)
	}
}

func TestLabelOfRungs(t *testing.T) {
	several := []*scenario.Scenario{{Name: "a"}, {Name: "b"}}
	for _, test := range []struct {
		s    Selection
		want string
	}{
		{Selection{Rungs: []string{"body"}}, "body"}, {Selection{Rungs: []string{"all"}}, "ladder"}, {Selection{Rungs: []string{"body", "pool"}}, "run"},
		{Selection{}, "core"}, {Selection{Scenarios: []string{"a", "b"}}, "run"}, {Selection{Rungs: []string{"body"}, Profile: "smoke"}, "smoke"},
	} {
		if got := test.s.Label(several); got != test.want {
			t.Errorf("%+v is called %q, want %q", test.s, got, test.want)
		}
	}
}
