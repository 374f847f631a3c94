package predict

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/deadlinelab/deadlinelab/internal/scenario"
	"github.com/deadlinelab/deadlinelab/internal/variants"
)

// What a scenario expects and its own waits do not give is said by the plan.
func TestPlanSaysWhereExpectationsDisagree(t *testing.T) {
	text, err := scenario.Marshal(shippedAs(t, "slow_headers"))
	if err != nil {
		t.Fatal(err)
	}
	changed := strings.NewReplacer(
		"operation_deadline: {outcome: deadline_exceeded, duration_ms: 1000, attempts: 2, server_requests: 2, late: false, waste_ms: 100}", "operation_deadline: {outcome: attempt_timeout, duration_ms: 990, attempts: 1, server_requests: {min: 3}}",
		"no_timeout: {outcome: success, duration_ms: 800,", "no_timeout: {outcome: success, duration_ms: {max_ms: 799},").Replace(string(text))
	s, err := scenario.Parse("changed.yaml", []byte(changed))
	if err != nil {
		t.Fatal(err)
	}
	for label, want := range map[string][]string{
		"B": nil,
		"D": {"outcome is expected to be attempt_timeout, the waits make it deadline_exceeded", "duration_ms is expected to be 990 ms, the waits make it 1000 ms",
			"attempts is expected to be 1, the waits make it 2", "server_requests is expected to be at least 3, the waits make it 2"},
		"G": {"duration_ms is expected to be at most 799 ms, the waits make it 800 ms"},
	} {
		v, _ := variants.Find(label)
		if diff := cmp.Diff(want, Compute(s, v).disagreements()); diff != "" {
			t.Errorf("%s: %s", label, diff)
		}
	}
}
