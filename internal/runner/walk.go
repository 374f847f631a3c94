package runner

import (
	"fmt"
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
	if gap := at - first.at; at != never && at > w.now && gap < tieGap && gap > -tieGap {
		w.ties = append(w.ties, Tie{Upstream: upstream, UpstreamAt: at, Limit: first.name, LimitAt: first.at, key: first.key})
	}
	return w.move(what, at, first)
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

// attempt is connection, then answer.
func (w *walk) attempt(n int) (eventlog.Outcome, int) {
	w.path.Attempts++
	limits := w.attemptLimits()
	total := bound{"total_ms", "attempt.total_ms", after(w.now, limits.Total), eventlog.AttemptTimeout}
	connect := bound{"connect_ms", "attempt.connect_ms", after(w.now, limits.Connect), eventlog.ConnectTimeout}
	w.event(eventlog.AttemptStarted, eventlog.ConnectionWaitStarted)
	if hit := w.until("connection", "the connection becomes free", max(w.now, w.connectionAt), total, connect); hit != nil {
		return hit.outcome, 0
	}
	w.event(eventlog.ConnectStarted, eventlog.ConnectFinished, eventlog.ConnectionAcquired, eventlog.RequestWritten,
		eventlog.ServerRequestStarted, eventlog.FaultArmed)
	w.path.Requests++
	return w.receive(fmt.Sprintf("attempt %d", n), w.answer(w.path.Requests), total, limits.SockRead)
}

func (w *walk) attemptLimits() variants.Limits {
	l := w.policy.Limits
	if w.place.Deadline != "remaining" {
		return l
	}
	left := w.policy.Budget - w.now
	if l.Total > 0 {
		left = min(left, l.Total)
	}
	return variants.Limits{SockRead: left}
}

// receive is head and body of one answer.
func (w *walk) receive(what string, a fault.Answer, total bound, silence time.Duration) (eventlog.Outcome, int) {
	head, end := never, never
	if a.Headers >= 0 {
		head, end = w.now+a.Headers, w.now+max(a.Body, a.Headers)
	}
	read := bound{"sock_read_ms", "attempt.sock_read_ms", never, eventlog.AttemptTimeout}
	if silence > 0 && (a.Headers < 0 || a.MaxGap > silence) {
		read.at = firstSilence(w.now, a, silence)
	}
	if gap := a.MaxGap - silence; silence > 0 && a.MaxGap > 0 && gap < tieGap && gap > -tieGap {
		at := firstSilence(w.now, a, silence)
		w.ties = append(w.ties, Tie{Upstream: "a silence ends", UpstreamAt: at + gap, Limit: read.name, LimitAt: at, key: read.key})
	}
	if hit := w.until(what, "the response head arrives", head, total, read); hit != nil {
		return hit.outcome, 0
	}
	w.event(eventlog.FaultFired, eventlog.ServerHeadersPrepared, eventlog.ServerHeadersWritten, eventlog.HeadersReceived, eventlog.ServerBodyWritten)
	if hit := w.until(what+" body", "the body ends", end, total, read); hit != nil {
		return hit.outcome, 0
	}
	if a.Status < 200 || a.Status > 299 {
		return eventlog.UnexpectedStatus, a.Status
	}
	return eventlog.Success, a.Status
}

// firstSilence is when a silence limit ends the attempt: while it waits for a
// late head, or in the body's first gap.
func firstSilence(from time.Duration, a fault.Answer, silence time.Duration) time.Duration {
	if a.Headers < 0 || a.Headers >= a.MaxGap {
		return from + silence
	}
	return from + a.Headers + silence
}

func after(from, limit time.Duration) time.Duration {
	if limit == 0 {
		return never
	}
	return from + limit
}
