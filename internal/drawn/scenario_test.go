package drawn

import (
	"bytes"
	"testing"

	"github.com/deadlinelab/deadlinelab/internal/fault"
	"github.com/deadlinelab/deadlinelab/internal/scenario"
)

var names = []string{"attempt_timeout", "operation_deadline", "no_timeout", "budgeted"}

// The same seed gives the same scenario, and a few hundred seeds give every fault.
func TestScenario(t *testing.T) {
	seen := map[string]bool{}
	for seed := range uint64(500) {
		s := Scenario(seed, names)
		seen[s.Type] = true
		if !bytes.Equal(text(t, s), text(t, Scenario(seed, names))) {
			t.Errorf("seed %d gives two scenarios", seed)
		}
	}
	for _, name := range fault.Names() {
		if !seen[name] {
			t.Errorf("no seed of 500 gives %s", name)
		}
	}
}

func text(t *testing.T, s *scenario.Scenario) []byte {
	t.Helper()
	b, err := scenario.Marshal(s)
	if err != nil {
		t.Fatal(err)
	}
	return b
}
