package runner

import (
	"slices"
	"time"

	"github.com/deadlinelab/deadlinelab/internal/eventlog"
	"github.com/deadlinelab/deadlinelab/internal/fault"
	"github.com/deadlinelab/deadlinelab/internal/scenario"
	"github.com/deadlinelab/deadlinelab/internal/variants"
)

type interval struct{ from, to time.Duration }

// bound is an instant at which something cuts a wait short.
type bound struct {
	name    string // for people: "total_ms", "deadline", "cancel", "hard cap"
	key     string // its place in the scenario file
	at      time.Duration
	outcome eventlog.Outcome
}

// walk is an operation in arithmetic: now moves from wait to wait, from t0 = 0.
type walk struct {
	place        variants.Placement
	policy       variants.Policy
	slots        int
	answer       func(n int) fault.Answer
	busy         []interval // when others hold the only slot
	connectionAt time.Duration
	cancelOn     eventlog.Kind
	cancelAfter  time.Duration

	now      time.Duration
	deadline time.Duration
	cancelAt time.Duration
	seen     map[eventlog.Kind]time.Duration // first time of each event
	held     []interval                      // when it holds a slot itself
	path     Path
	ties     []Tie
}

func newWalk(s *scenario.Scenario, v variants.Variant, jitter float64) *walk {
	w := &walk{place: v.Placement, policy: policyOf(s, func() float64 { return jitter }), slots: s.Slots,
		deadline: never, cancelAt: never, seen: map[eventlog.Kind]time.Duration{}}
	if v.Placement.MaxAttempts > 0 {
		w.policy.MaxAttempts = v.Placement.MaxAttempts
	}
	if !v.Placement.AttemptLimit {
		w.policy.Limits = variants.Limits{}
	}
	return w
}

// event notes that an event happens now; the caller's cancel may follow from it.
func (w *walk) event(kinds ...eventlog.Kind) {
	for _, k := range kinds {
		if _, again := w.seen[k]; again {
			continue
		}
		w.seen[k] = w.now
		if k == w.cancelOn {
			w.cancelAt = w.now + w.cancelAfter
		}
	}
}

// until moves to an upstream or arranged event, or to the earliest bound
// before it, which it returns. Two instants too near to call are a tie.
func (w *walk) until(what, upstream string, at time.Duration, limits ...bound) *bound {
	first := w.earliest(limits)
	if gap := at - first.at; at != never && at >= w.now && gap < tieGap && gap > -tieGap {
		w.tie(Tie{Upstream: upstream, UpstreamAt: at, Limit: first.name, LimitAt: first.at, key: first.key})
	}
	return w.move(what, at, first)
}

// tie keeps one of several events at one instant: they are one mistake.
func (w *walk) tie(t Tie) {
	if n := len(w.ties); n == 0 || w.ties[n-1].key != t.key || w.ties[n-1].LimitAt != t.LimitAt || w.ties[n-1].UpstreamAt != t.UpstreamAt {
		w.ties = append(w.ties, t)
	}
}

// pauseUntil is until for the client's own timer, which cannot tie.
func (w *walk) pauseUntil(at time.Duration) *bound { return w.move("pause", at, w.earliest(nil)) }

func (w *walk) move(what string, at time.Duration, first bound) *bound {
	step := Step{What: what}
	var hit *bound
	if first.at < at {
		step.Ended, hit, at = first.name, &first, first.at
	}
	step.Took, w.now = at-w.now, max(at, w.now)
	if step.Took > 0 || hit != nil {
		w.path.Steps = append(w.path.Steps, step)
	}
	return hit
}

func (w *walk) earliest(limits []bound) bound {
	all := append(slices.Clone(limits),
		bound{"deadline", "operation.budget_ms", w.deadline, eventlog.DeadlineExceeded},
		bound{"cancel", "scenario.delay_after_event_ms", w.cancelAt, eventlog.Cancelled},
		bound{"hard cap", "operation.budget_ms", HardCap(w.policy.Budget), eventlog.CapReached})
	return slices.MinFunc(all, func(a, b bound) int { return int(min(max(a.at-b.at, -1), 1)) })
}

// operation walks from t0 to the outcome.
func (w *walk) operation() {
	w.event(eventlog.OperationStarted)
	if w.place.Deadline == "t0" {
		w.deadline = w.policy.Budget
	}
	outcome := w.admitted()
	w.path.Outcome, w.path.Duration = outcome, w.now
}

// admitted wraps the attempts into the slot, if it is held for all of them.
func (w *walk) admitted() eventlog.Outcome {
	if w.place.SlotPer == "operation" {
		if hit := w.slot(); hit != nil {
			return hit.outcome
		}
		from := w.now
		defer func() { w.held = append(w.held, interval{from, w.now}) }()
	}
	if w.place.Deadline == "after_admission" {
		w.deadline = w.now + w.policy.Budget
	}
	return w.attempts()
}

func (w *walk) slot() *bound {
	if w.slots == 0 {
		return nil
	}
	w.event(eventlog.AdmissionWaitStarted)
	if hit := w.until("slot", "the slot becomes free", w.freeAt(w.now)); hit != nil {
		return hit
	}
	w.event(eventlog.AdmissionAcquired)
	return nil
}

// freeAt is when the slot is free for one who asks for it at an instant.
func (w *walk) freeAt(asked time.Duration) time.Duration {
	for _, b := range w.busy {
		if asked >= b.from && asked < b.to {
			asked = b.to
		}
	}
	return asked
}

// attempts is the retry loop.
func (w *walk) attempts() eventlog.Outcome {
	for n := 1; ; n++ {
		if w.now >= w.deadline || w.place.Deadline == "remaining" && w.now >= w.policy.Budget {
			return eventlog.DeadlineExceeded
		}
		outcome, status := w.slottedAttempt(n)
		if outcome == eventlog.Success || !w.retryable(outcome, status) || w.policy.MaxAttempts == 1 {
			return outcome
		}
		if n == w.policy.MaxAttempts {
			w.path.Last = outcome
			return eventlog.RetriesExhausted
		}
		w.event(eventlog.BackoffStarted)
		if hit := w.pauseUntil(w.pauseEnd(n)); hit != nil {
			return hit.outcome
		}
		w.event(eventlog.BackoffFinished)
	}
}

func (w *walk) retryable(o eventlog.Outcome, status int) bool {
	if o == eventlog.UnexpectedStatus {
		return slices.Contains(w.policy.RetryableStatuses, status)
	}
	return slices.Contains(w.policy.RetryableFailures, o)
}

func (w *walk) pauseEnd(n int) time.Duration {
	if len(w.policy.Backoff) == 0 {
		return w.now
	}
	end := w.now + w.policy.Backoff[min(n, len(w.policy.Backoff))-1]
	if w.place.Deadline == "remaining" {
		return max(w.now, min(end, w.policy.Budget))
	}
	return end
}

func (w *walk) slottedAttempt(n int) (eventlog.Outcome, int) {
	if w.place.SlotPer != "attempt" {
		return w.attempt(n)
	}
	if hit := w.slot(); hit != nil {
		return hit.outcome, 0
	}
	from := w.now
	defer func() { w.held = append(w.held, interval{from, w.now}) }()
	return w.attempt(n)
}
