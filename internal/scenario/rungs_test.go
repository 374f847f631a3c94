package scenario

import (
	"path"
	"slices"
	"testing"
)

// Every folder of scenarios is a known rung, every scenario of the core is on
// exactly one, and nothing is on a rung that does not exist.
func TestEveryScenarioIsOnARung(t *testing.T) {
	for _, s := range All() {
		if FindRung(s.StallPoint()).About == "" {
			t.Errorf("%s is on the rung %q, which rungs.go does not list", s.File, s.StallPoint())
		}
	}
	seen := map[string]string{}
	for _, r := range rungs {
		for _, name := range r.core {
			if seen[name] != "" || !slices.Contains(coreOrder, name) {
				t.Errorf("%s, of the rung %s, is on another or not of the core", name, r.Name)
			}
			seen[name] = r.Name
		}
	}
}

func TestStallPoint(t *testing.T) {
	for _, test := range []struct{ name, rung, want string }{
		{"slow_body", CoreRung, "body"}, {"slow_body", "headers", "headers"}, {"mine", CoreRung, CoreRung}, {"mine", "", ""},
	} {
		if got := (&Scenario{Name: test.name, Rung: test.rung}).StallPoint(); got != test.want {
			t.Errorf("%s of %q stalls at %q, want %q", test.name, test.rung, got, test.want)
		}
	}
}

func TestCompareRungs(t *testing.T) {
	names := []string{"", "zebra", "effects", "another", "body", "admission", "tls", "connect"}
	slices.SortFunc(names, CompareRungs)
	if want := []string{"admission", "connect", "tls", "body", "effects", "another", "zebra", ""}; !slices.Equal(names, want) {
		t.Errorf("got %q, want %q", names, want)
	}
}

// The ladder holds every scenario once, the core's beside those of its rung.
func TestLadder(t *testing.T) {
	ladder := Ladder()
	if len(ladder) != len(All()) {
		t.Fatalf("%d scenarios, All has %d", len(ladder), len(All()))
	}
	if !slices.IsSortedFunc(ladder, func(a, b *Scenario) int { return CompareRungs(a.StallPoint(), b.StallPoint()) }) {
		t.Error("the rungs are out of order")
	}
	place := func(name string) int {
		return slices.IndexFunc(ladder, func(s *Scenario) bool { return path.Base(s.File) == name+".yaml" })
	}
	if s, h, b := place("semaphore_wait"), place("slow_headers"), place("slow_body"); !(s < h && h < b) {
		t.Errorf("admission at %d, headers at %d, body at %d", s, h, b)
	}
}
