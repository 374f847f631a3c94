package predict

import (
	"slices"
	"time"

	"github.com/deadlinelab/deadlinelab/internal/clock"
	"github.com/deadlinelab/deadlinelab/internal/eventlog"
)

// operation walks from t0 to the outcome.
func (w *walk) operation() {
	w.event(eventlog.OperationStarted)
	outcome := w.call(true)
	for n := 1; n < w.place.Calls && w.callsAgain(outcome); n++ {
		outcome = w.call(w.place.OwnBudgets)
	}
	w.path.Outcome, w.path.Duration = outcome, w.now
}

// call is one call of the client, with a budget of its own or what is left of
// the one before.
func (w *walk) call(ownBudget bool) eventlog.Outcome {
	w.path.Last = ""
	if w.place.Deadline == "t0" && ownBudget {
		w.deadline = w.now + w.policy.Budget
	}
	return w.admitted()
}

func (w *walk) callsAgain(outcome eventlog.Outcome) bool {
	if w.place.CallsAfter == "success" {
		return outcome == eventlog.Success
	}
	return outcome != eventlog.Success && w.now < w.callerAt && w.now < w.cancelAt
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
	unbound := w.place.Queue == "unbound"
	if hit := w.ended(); hit != nil && !unbound {
		return hit
	}
	if w.slots == 0 {
		return nil
	}
	w.event(eventlog.AdmissionWaitStarted)
	if w.place.Queue == "none" && w.freeAt(w.now) > w.now {
		return &bound{outcome: eventlog.Refused}
	}
	if hit := w.queue(unbound); hit != nil {
		return hit
	}
	w.event(eventlog.AdmissionAcquired)
	return nil
}

func (w *walk) queue(unbound bool) *bound {
	if unbound {
		return w.move("slot", w.freeAt(w.now), w.cap)
	}
	if at := w.freeAt(w.now); at > w.now {
		return w.until("slot", "the slot becomes free", at)
	}
	return nil
}

// attempts is the retry loop.
func (w *walk) attempts() eventlog.Outcome {
	for n := 1; ; n++ {
		if stop := w.beforeAttempt(); stop != "" {
			return stop
		}
		outcome, status := w.slottedAttempt(n)
		if outcome == eventlog.Success || outcome == eventlog.InvalidData && w.place.Unverified && !w.coded {
			return w.success(outcome)
		}
		if end, over := w.afterFailure(n, outcome, status); over {
			return end
		}
	}
}

// beforeAttempt is why no attempt begins; empty where it does.
func (w *walk) beforeAttempt() eventlog.Outcome {
	if w.place.Deadline == "remaining" && w.now >= w.policy.Budget {
		return eventlog.DeadlineExceeded
	}
	if hit := w.ended(); hit != nil && !w.place.UnboundLoop {
		return hit.outcome
	}
	return ""
}

// success is none once the deadline has passed, to all that look at it.
func (w *walk) success(outcome eventlog.Outcome) eventlog.Outcome {
	if w.now > w.deadline && !w.place.UnboundLoop {
		return eventlog.DeadlineExceeded
	}
	return outcome
}

// afterFailure is the end of the operation, or the pause before the next attempt.
func (w *walk) afterFailure(n int, outcome eventlog.Outcome, status int) (end eventlog.Outcome, over bool) {
	if !w.retryable(outcome, status) {
		return outcome, true
	}
	last := n >= w.policy.MaxAttempts
	if !last && w.place.FitPauses && !w.env.Repeatable() {
		return outcome, true
	}
	if last && !w.place.PauseAfterLast || !last && w.refusesRetry() {
		return w.exhausted(outcome), true
	}
	pause := w.pauseOf(n)
	if w.place.Deadline == "between_attempts" && w.now+pause >= w.policy.Budget {
		return eventlog.DeadlineExceeded, true
	}
	if w.place.FitPauses && min(w.deadline, w.callerAt)-w.now-pause < w.least() {
		return w.exhausted(outcome), true
	}
	if hit := w.pause(pause); hit != nil {
		return hit.outcome, true
	}
	if last {
		return w.exhausted(outcome), true
	}
	return "", false
}

// refusesRetry tells whether a budget in common allows no further attempt: with
// fewer retries than callers, the caller that this path stands for gets none.
func (w *walk) refusesRetry() bool {
	return w.callers > 1 && (w.place.RetryPercent > 0 || w.place.FitPauses)
}

func (w *walk) exhausted(last eventlog.Outcome) eventlog.Outcome {
	if w.policy.MaxAttempts <= 1 {
		return last
	}
	w.path.Last = last
	return eventlog.RetriesExhausted
}

func (w *walk) retryable(o eventlog.Outcome, status int) bool {
	if w.place.UnboundLoop {
		return true
	}
	if hit := w.ended(); hit != nil && hit.outcome == o {
		return false
	}
	if w.place.RetryAny {
		return true
	}
	if o == eventlog.UnexpectedStatus {
		return slices.Contains(w.policy.RetryableStatuses, status)
	}
	return slices.Contains(w.policy.RetryableFailures, o)
}

// pauseOf is the pause after attempt n.
func (w *walk) pauseOf(n int) time.Duration {
	pause := time.Duration(0)
	if list := w.policy.Backoff; len(list) > 0 {
		pause = list[min(n, len(list))-1]
	}
	switch {
	case w.place.Deadline == "remaining":
		return max(0, min(pause, w.policy.Budget-w.now))
	case w.place.FitPauses:
		return max(pause, w.asked)
	}
	return pause
}

// pause ends by itself, or by what the client listens to in its pauses. A limit
// that ends with it is no tie, because a scenario cannot move either of the two
// for every variant; but whether another attempt begins is chance then. A pause
// of nothing is none, and one that is cut to what is left ends as the limit does.
func (w *walk) pause(d time.Duration) *bound {
	if d > 0 {
		w.event(eventlog.BackoffStarted)
	}
	first := w.earliest(nil)
	if w.place.UnboundPause {
		first = w.cap
	}
	if gap := w.now + d - first.at; d > 0 && gap < tieGap && gap > -tieGap && w.place.Deadline != "remaining" {
		w.chance = "whether a pause ends before the limit that ends within " + clock.MsText(tieGap) + " of it"
	}
	hit := w.move("pause", w.now+d, first)
	if hit == nil && d > 0 {
		w.event(eventlog.BackoffFinished)
	}
	return hit
}
