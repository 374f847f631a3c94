package compare

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/deadlinelab/deadlinelab/internal/eventlog"
	"github.com/deadlinelab/deadlinelab/internal/timeline"
)

const budgetMs = 1000.0

// shape is how the operations of a written series end.
type shape struct {
	outcome  eventlog.Outcome
	promise  timeline.Promise
	ms       float64 // duration, before jitter
	attempts int
	requests int
	n        int
}

// success is the healthy series: 20 ms, one attempt, one request.
func success(n int, ms float64) shape {
	return shape{outcome: eventlog.Success, promise: timeline.Kept, ms: ms, attempts: 1, requests: 1, n: n}
}

// The letter C and D of semaphore_wait: late success against failure in time.
func lateC(n int) shape {
	return shape{outcome: eventlog.Success, promise: timeline.Late, ms: 1120, attempts: 1, requests: 1, n: n}
}

func deadlineD(n int) shape {
	return shape{outcome: eventlog.DeadlineExceeded, promise: timeline.FailedInTime, ms: 1000.3, n: n}
}

// recording is a run of one series, "scenario" by default, on a quiet machine.
// Every recording has a clock of its own: no two are one measurement.
func recording(rnd *rand.Rand, shapes ...shape) *Run {
	r := &Run{Name: "run", NoiseMs: quiet()}
	r.add(rnd, "scenario", "operation_deadline", shapes...)
	return r
}

func quiet() []float64 {
	floor := make([]float64, 100)
	for i := range floor {
		floor[i] = 0.3 + float64(i)/200
	}
	return floor
}

var letters = map[string]string{"single_attempt": "A", "deadline_after_admission": "C", "operation_deadline": "D", "slot_per_attempt": "E",
	"remaining_budget": "F", "no_timeout": "G"}

// add puts a series of several endings into the run.
func (r *Run) add(rnd *rand.Rand, scenario, variant string, shapes ...shape) {
	n, epoch := 0, rnd.Int64N(1<<50)
	for _, s := range shapes {
		for range s.n {
			n++
			ms := s.ms + jitter(rnd)
			op := &timeline.Operation{Op: fmt.Sprintf("%s-%s-%d", scenario, variant, n), Scenario: scenario, Variant: variant, Phase: eventlog.Measured,
				T0Ns: epoch + int64(n), Finished: true, Valid: true, BudgetMs: budgetMs, DurationMs: ms, Overshoot: ms - budgetMs,
				Outcome: s.outcome, Promise: s.promise, Attempts: make([]timeline.Attempt, s.attempts), ServerRequests: s.requests}
			r.Operations = append(r.Operations, op)
		}
	}
	r.Series = append(r.Series, timeline.Series{Scenario: scenario, Variant: variant, Label: letters[variant], Planned: n, N: n})
}

// jitter is what a loopback run shows: a skewed fraction of a millisecond, and
// now and then a stall of many.
func jitter(rnd *rand.Rand) float64 {
	ms := 0.4 * math.Exp(0.6*rnd.NormFloat64())
	if rnd.Float64() < 0.03 {
		ms += rnd.ExpFloat64() * 12
	}
	return ms
}

func seeded() *rand.Rand { return rand.New(rand.NewPCG(7, 11)) }

var usual = Options{MarginMs: 5, MarginPercent: 3}

// only is the comparison's one series.
func only(t *testing.T, c *Comparison) Series {
	t.Helper()
	if len(c.Series) != 1 {
		t.Fatalf("%d series, expected one", len(c.Series))
	}
	return c.Series[0]
}
