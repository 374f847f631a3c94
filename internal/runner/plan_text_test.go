package runner

import (
	"strings"
	"testing"
)

// What bench plan prints.
func TestWriteArithmetic(t *testing.T) {
	var text strings.Builder
	p := newPlan(t, Options{Seed: 1, Repeats: 3, Operations: 30}, "BD", load(t, "slow_headers"))
	if err := WriteArithmetic(&text, p); err != nil {
		t.Fatal(err)
	}
	want := `182 operations in 2 cells: 3 repeats of 30 each, 2 warm-ups; seed 1

slow_headers: budget 1000 ms, up to 3 attempts
  B attempt_timeout           retries_exhausted (attempt_timeout)  1500 ms  3 attempts, 3 requests
    path:  attempt 1 400 ms (total_ms) + pause 100 ms + attempt 2 400 ms (total_ms) + pause 200 ms
           + attempt 3 400 ms (total_ms)
    worst: 3 × 400 + 100 + 200 = 1500 ms: 500 ms over the budget of 1000 ms
  D operation_deadline        deadline_exceeded                    1000 ms  2 attempts, 2 requests
    path:  attempt 1 400 ms (total_ms) + pause 100 ms + attempt 2 400 ms (total_ms)
           + pause 100 ms (deadline)
    worst: deadline at t0 = 1000 ms: within the budget of 1000 ms
`
	if text.String() != want {
		t.Errorf("got\n%s", text.String())
	}
}

// The arithmetic says which hard cap it computes with.
func TestArithmeticOfACap(t *testing.T) {
	var text strings.Builder
	if err := WriteArithmetic(&text, newPlan(t, Options{Seed: 1, Repeats: 1, Operations: 1}, "G", edited(t, "hang", "callers: null", "callers: null\ncap_ms: 20000",
		"no_timeout: {outcome: cap_reached, duration_ms: 8000", "no_timeout: {outcome: cap_reached, duration_ms: 20000"))); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"hang: budget 1000 ms, hard cap 20000 ms, up to 3 attempts", "cap_reached                         20000 ms", "attempt 1 20000 ms (hard cap)"} {
		if !strings.Contains(text.String(), want) {
			t.Errorf("%q is not in\n%s", want, text.String())
		}
	}
	if strings.Contains(text.String(), "DIFFERS") {
		t.Error(text.String())
	}
}
