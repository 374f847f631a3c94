package predict

import (
	"strings"
	"testing"

	"github.com/deadlinelab/deadlinelab/internal/scenario"
	"github.com/deadlinelab/deadlinelab/internal/variants"
)

// Where in its second a date falls decides how the operation ends: the plan
// names both ends, and what each of them sent.
func TestPlanNamesEveryEndOfARange(t *testing.T) {
	s, err := scenario.Parse("dated.yaml", []byte(`
name: dated
question: Does an attempt fit behind the date?
lesson: In the first half of a second it does.
contrast: [operation_deadline, budgeted]
operation: {budget_ms: 1700, max_attempts: 2, backoff_ms: [10], retryable_statuses: [503]}
scenario: {type: retry_after, as_date: true, date_offset_ms: 2000, response_delay_ms: 20}
variants: [operation_deadline, budgeted]
expect: {operation_deadline: {outcome: success}, budgeted: {late: false}}
`))
	if err != nil {
		t.Fatal(err)
	}
	v, _ := variants.Find("budgeted")
	got := Compute(s, v).resultText()
	for _, want := range []string{"success or", "1 or 2 attempts, 1 or 2 requests", " … "} {
		if !strings.Contains(got, want) {
			t.Errorf("%q lacks %q", got, want)
		}
	}
}
