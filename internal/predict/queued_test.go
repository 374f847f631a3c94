package predict

import (
	"testing"
	"time"

	"github.com/deadlinelab/deadlinelab/internal/eventlog"
	"github.com/deadlinelab/deadlinelab/internal/scenario"
	"github.com/deadlinelab/deadlinelab/internal/variants"
)

// queueOf is five callers, 10 ms apart, of an upstream that takes 50 ms.
func queueOf(t *testing.T, slots string) *scenario.Scenario {
	t.Helper()
	s, err := scenario.Parse("queue.yaml", []byte(`name: queue
question: Who waits?
lesson: The last.
contrast: [attempt_timeout, operation_deadline]
operation: {budget_ms: 120}
slots: `+slots+`
callers: {count: 5, share: [slots], start_gap_ms: 10}
scenario: {type: healthy, response_delay_ms: 50}
variants: [attempt_timeout, operation_deadline]
expect:
  attempt_timeout: {outcome: success}
  operation_deadline: {outcome: success}
`))
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// One slot: callers ask at 0, 10, … 40 and have it at 0, 50, 100 … Of D, the
// third has it at 100 and gives it up at 140, its deadline, the fourth at 150.
func TestCallersQueue(t *testing.T) {
	for _, c := range []struct {
		slots, variant string
		want           []time.Duration // end of each caller, from its own t0
		successes      int
	}{
		{"1", "B", []time.Duration{50 * time.Millisecond, 90 * time.Millisecond, 130 * time.Millisecond, 170 * time.Millisecond, 210 * time.Millisecond}, 5},
		{"1", "D", []time.Duration{50 * time.Millisecond, 90 * time.Millisecond, 120 * time.Millisecond, 120 * time.Millisecond, 120 * time.Millisecond}, 2},
		{"2", "B", []time.Duration{50 * time.Millisecond, 50 * time.Millisecond, 80 * time.Millisecond, 80 * time.Millisecond, 110 * time.Millisecond}, 5},
		{"5", "B", []time.Duration{50 * time.Millisecond, 50 * time.Millisecond, 50 * time.Millisecond, 50 * time.Millisecond, 50 * time.Millisecond}, 5},
	} {
		v, _ := variants.Find(c.variant)
		got := Compute(queueOf(t, c.slots), v)
		successes := 0
		for i, p := range got.Callers {
			if p.Duration != c.want[i] {
				t.Errorf("%s slots, %s: caller %d ends after %s, want %s", c.slots, c.variant, i+1, p.Duration, c.want[i])
			}
			if p.Outcome == eventlog.Success {
				successes++
			}
		}
		if len(got.Callers) != 5 || successes != c.successes {
			t.Errorf("%s slots, %s: %d callers, %d successes", c.slots, c.variant, len(got.Callers), successes)
		}
	}
}

// Who asks for a slot again while others wait, or queues in the pool, races.
func TestCallersRace(t *testing.T) {
	e, _ := variants.Find("E")
	if c := Compute(queueOf(t, "1"), e); c.Callers != nil {
		t.Error("slot_per_attempt asks again")
	}
	s := queueOf(t, "5")
	s.Pool, s.Callers.Share = &scenario.Pool{Limit: 1}, []string{scenario.ShareTransport}
	d, _ := variants.Find("D")
	if c := Compute(s, d); c.Callers != nil || c.callersText() != "5 on one client, sharing transport, 10 ms apart: who comes first is a race; the path is that of the first" {
		t.Error(c.Callers, c.callersText())
	}
}

// What is expected of callers that queue is held against all of their paths.
func TestQueueDisagreements(t *testing.T) {
	d, _ := variants.Find("D")
	c := Compute(queueOf(t, "1"), d)
	one, failed := 1, eventlog.DeadlineExceeded
	for _, f := range []struct {
		want scenario.Expect
		n    int
	}{
		{scenario.Expect{DurationMs: &scenario.Duration{Ms: 120}, Attempts: &scenario.Count{Max: &one}}, 0},
		{scenario.Expect{DurationMs: &scenario.Duration{Ms: 50}}, 1},
		{scenario.Expect{Outcome: &failed}, 2},
		{scenario.Expect{Attempts: &scenario.Count{N: 1}, ServerRequests: &scenario.Count{N: 2}}, 5},
	} {
		if got := c.queueDisagreements(f.want); len(got) != f.n {
			t.Errorf("%+v: %q", f.want, got)
		}
	}
}

func TestCallersText(t *testing.T) {
	d, _ := variants.Find("D")
	if got := Compute(queueOf(t, "1"), d).callersText(); got != "5 on one client, sharing slots, 10 ms apart: 50 … 120 ms, success 2, deadline_exceeded 3" {
		t.Error(got)
	}
	if got := Compute(queueOf(t, "5"), d).callersText(); got != "5 on one client, sharing slots, 10 ms apart: 50 ms each, success 5" {
		t.Error(got)
	}
}
