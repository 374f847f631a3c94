package predict

import (
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/deadlinelab/deadlinelab/internal/clock"
	"github.com/deadlinelab/deadlinelab/internal/scenario"
	"github.com/deadlinelab/deadlinelab/internal/variants"
)

// shipped lists every embedded scenario and those that only tests use.
func shipped(t *testing.T) []*scenario.Scenario {
	t.Helper()
	list := scenario.All()
	for _, pattern := range []string{"../scenario/testdata/pool_wait_connect_limit.yaml", "../../clients/waits/*.yaml"} {
		files, err := filepath.Glob(pattern)
		if err != nil {
			t.Fatal(err)
		}
		for _, file := range files {
			s, err := scenario.Load(file)
			if err != nil {
				t.Fatal(err)
			}
			list = append(list, s)
		}
	}
	return list
}

// What the waits add up to is what the files expect: the arithmetic and the
// scenarios check each other.
func TestArithmeticMeetsExpectations(t *testing.T) {
	for _, s := range shipped(t) {
		for _, name := range s.Variants {
			v, ok := variants.Find(name)
			if !ok {
				t.Fatalf("%s lists %s", s.Name, name)
			}
			t.Run(s.Name+"/"+v.Label, func(t *testing.T) { meets(t, Compute(s, v), s.Expect[name]) })
		}
	}
}

// meets holds c against the file. Callers that queue behind one another are
// not computed.
func meets(t *testing.T, c Computation, want scenario.Expect) {
	t.Helper()
	for _, text := range c.disagreements() {
		t.Errorf("%s: %v", text, c.Steps)
	}
	if d := want.DurationMs; d != nil && !d.IsWindow() && !holds(*d, c.Duration) {
		t.Errorf("computed %s, expected %+v: %v", c.Duration, *d, c.Steps)
	}
	granted := clock.FromMs(c.Scenario.Operation.BudgetMs)
	if own := c.Scenario.CallerDeadlineMs; own != nil {
		granted = max(0, min(granted, clock.FromMs(*own)))
	}
	if late := want.Late; late != nil && !c.Scenario.CallersQueue() && *late != (c.Duration > granted) {
		t.Errorf("computed %s of %s, expected late: %t", c.Duration, granted, *late)
	}
	if len(c.Ties) > 0 {
		t.Errorf("ties: %+v", c.Ties)
	}
}

func holds(want scenario.Duration, got time.Duration) bool {
	if !want.IsWindow() {
		return clock.FromMs(want.Ms) == got
	}
	return (want.MinMs == nil || got >= clock.FromMs(*want.MinMs)) && (want.MaxMs == nil || got <= clock.FromMs(*want.MaxMs))
}

// A jitter makes a range, and its draws depend on seed and operation alone.
func TestJitter(t *testing.T) {
	text, err := scenario.Marshal(shippedAs(t, "persistent_error"))
	if err != nil {
		t.Fatal(err)
	}
	s, err := scenario.Parse("jitter.yaml", []byte(strings.Replace(string(text), "jitter: false", "jitter: {min_ms: 10, max_ms: 20}", 1)))
	if err != nil {
		t.Fatal(err)
	}
	v, _ := variants.Find("D")
	if c := Compute(s, v); c.Duration != 470*time.Millisecond || c.Longest.Duration != 490*time.Millisecond {
		t.Errorf("%s … %s, want 470ms … 490ms", c.Duration, c.Longest.Duration)
	}
	a, b := Policy(s, Draws(1, "op")), Policy(s, Draws(1, "op"))
	if !slices.Equal(a.Backoff, b.Backoff) || slices.Equal(a.Backoff, Policy(s, Draws(2, "op")).Backoff) || slices.Equal(a.Backoff, Policy(s, Draws(1, "other")).Backoff) {
		t.Errorf("draws %v", a.Backoff)
	}
	for i, base := range s.Operation.BackoffMs[:2] {
		if added := clock.InMs(a.Backoff[i]) - base; added < 10 || added > 20 {
			t.Errorf("pause %d: %g ms of jitter", i+1, added)
		}
	}
}

func TestWorstCase(t *testing.T) {
	for _, c := range []struct{ scenario, variant, want string }{
		{"slow_headers", "A", "1 × 400 = 400 ms: within the budget of 1000 ms"},
		{"slow_headers", "B", "3 × 400 + 100 + 200 = 1500 ms: 500 ms over the budget of 1000 ms"},
		{"slow_headers", "D", "deadline at t0 = 1000 ms: within the budget of 1000 ms"},
		{"semaphore_wait", "C", "1100 in the queue + deadline after the slot = 2100 ms: 1100 ms over the budget of 1000 ms"},
		{"semaphore_wait", "B", "1100 in the queue + 3 × 400 + 100 + 200 = 2600 ms: 1600 ms over the budget of 1000 ms"},
		{"backoff_holds_slot", "B", "620 in the queue + 3 × 400 + 600 + 600 = 3020 ms: 2020 ms over the budget of 1000 ms"},
		{"slow_headers", "C", "deadline after the slot = 1000 ms: within the budget of 1000 ms"},
		{"slow_headers", "G", "no bound: nothing limits an attempt"},
		{"slow_headers", "client_timeout", "3 × 1000 + 100 + 200 = 3300 ms: 2300 ms over the budget of 1000 ms"},
		{"slow_headers", "header_timeout", "no bound: the wait for a response head is bounded, a body and the queues are not"},
		{"slow_headers", "phase_timeouts", "no bound: the wait for a response head is bounded, a body and the queues are not"},
		{"slow_headers", "drain_by_bytes", "no bound: nothing limits how long a body is read"},
		{"slow_headers", "naive_sleep", "deadline at t0 + 200 = 1200 ms: 200 ms over the budget of 1000 ms"},
		{"slow_headers", "swallowed_cancel", "deadline at t0 + 100 + 200 = 1300 ms: 300 ms over the budget of 1000 ms"},
		{"slow_headers", "elapsed_limit", "1000 when the last attempt begins + 400 for it = 1400 ms: 400 ms over the budget of 1000 ms"},
		{"slow_body", "elapsed_limit", "1000 when the last attempt begins + 1600 for it = 2600 ms: 1600 ms over the budget of 1000 ms"},
		{"slow_headers", "outer_retry", "2 calls × 1000 = 2000 ms: 1000 ms over the budget of 1000 ms"},
		{"slow_headers", "chain_own_budgets", "3 calls × 1000 = 3000 ms: 2000 ms over the budget of 1000 ms"},
		{"slow_headers", "chain_shared_budget", "deadline at t0 = 1000 ms: within the budget of 1000 ms"},
		{"semaphore_wait", "unbounded_queue", "1100 in a queue that does not hear the deadline = 1100 ms: 100 ms over the budget of 1000 ms"},
		{"semaphore_wait", "budgeted", "deadline at t0 = 1000 ms: within the budget of 1000 ms"},
		{"slow_headers", "F", "no bound: each silence is bounded, a body that trickles and the queues are not"},
	} {
		s, err := scenario.Load(c.scenario)
		if err != nil {
			t.Fatal(err)
		}
		v, _ := variants.Find(c.variant)
		if got := Compute(s, v).Worst.Text; got != c.want {
			t.Errorf("%s %s: %s\nwant %s", c.scenario, c.variant, got, c.want)
		}
	}
}

func shippedAs(t testing.TB, name string) *scenario.Scenario {
	t.Helper()
	s, err := scenario.Load(name)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// A pause that ends 1 ms before the deadline may, on a machine, end after it:
// 89 + 7 of 97. One that ends 3 ms before it does not.
func TestPauseThatEndsWithItsLimit(t *testing.T) {
	for budget, chance := range map[string]bool{"97": true, "95": true, "99": false, "93": false} {
		s, err := scenario.Parse("near.yaml", []byte(`{name: near, question: q, lesson: l, contrast: [operation_deadline, no_timeout],
  operation: {budget_ms: `+budget+`, max_attempts: 2, backoff_ms: [7], retryable_failures: [attempt_timeout]}, attempt: {total_ms: 89},
  variants: [operation_deadline, no_timeout], expect: {operation_deadline: {outcome: deadline_exceeded}, no_timeout: {outcome: cap_reached}},
  scenario: {type: hang}}`))
		if err != nil {
			t.Fatal(err)
		}
		v, _ := variants.Find("operation_deadline")
		if got := Compute(s, v).Chance; (got != "") != chance {
			t.Errorf("budget %s: chance %q", budget, got)
		}
	}
}
