package predict

import (
	"slices"
	"time"

	"github.com/deadlinelab/deadlinelab/internal/clock"
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
	env          *variants.Env // what the budgeted client decides by
	headLimit    time.Duration // for the wait for a response head alone; 0 = none
	callers      int           // at least 1
	slots        int
	scenario     *scenario.Scenario
	rehearse     func(fault.Request) fault.Answer
	phase        eventlog.Phase
	t0           time.Time  // for what depends on the date
	share        float64    // of what a wait may be longer, from 0 to 1
	busy         []interval // when others hold the only slot
	connectionAt time.Duration
	connections  int        // that the pool allows; 0 = any number
	connects     int        // connections asked for
	dials        []interval // begun to a listener that drops handshakes
	cancelOn     eventlog.Kind
	cancelAfter  time.Duration
	connect      fault.ConnectionScript // what a connection meets
	callerAt     time.Duration          // the caller's own deadline
	cap          bound                  // the bench's

	now      time.Duration
	deadline time.Duration
	cancelAt time.Duration
	asked    time.Duration                   // the wait that the newest answer asked for
	seen     map[eventlog.Kind]time.Duration // first time of each event
	held     []interval                      // when it holds a slot itself
	path     Path
	ties     []Tie
	keepIdle time.Duration // for how long the client keeps a connection that it does not use; 0 = for good
	kept     kept          // the connection that the next exchange can have
	coded    bool          // the newest answer cannot be decoded
	dated    bool          // a wait depends on where in its second a request falls
	chance   string        // why the path may be another one; empty = it cannot
}

func newWalk(s *scenario.Scenario, v variants.Variant, jitter float64) *walk {
	w := &walk{scenario: s, phase: eventlog.Measured, t0: time.Now(), share: jitter,
		place: v.Placement, policy: Policy(s, func() float64 { return jitter }), slots: s.Slots, connections: s.Connections(), callers: s.CallersOf(),
		cap:      hardCap(s),
		deadline: never, callerAt: never, cancelAt: never, seen: map[eventlog.Kind]time.Duration{}}
	w.rehearse = func(q fault.Request) fault.Answer { return fault.Rehearse(s.Fault, q) }
	if s.CallerDeadlineMs != nil {
		w.callerAt = max(0, clock.FromMs(*s.CallerDeadlineMs))
	}
	if v.Placement.MaxAttempts > 0 {
		w.policy.MaxAttempts = v.Placement.MaxAttempts
	}
	w.env = &variants.Env{Policy: w.policy, Method: s.Method}
	if s.IdempotencyKey && !v.Placement.Unkeyed {
		w.env.IdempotencyKey = "key"
	}
	w.keepIdle = keepIdle(v)
	w.limits()
	return w
}

// limits keeps of the policy's limits those that act on this variant.
func (w *walk) limits() {
	own := variants.Limits{}
	if w.place.DialLimit {
		own.SockConnect = w.policy.Limits.SockConnect
	}
	if w.place.Total == "budget" {
		own.Total = w.policy.Budget
	}
	if w.place.HeaderLimit {
		w.headLimit = variants.HeaderLimit(w.policy)
	}
	if !w.place.AttemptLimit {
		w.policy.Limits = own
	}
}

// moreThanBuffers is a request body that no buffers between client and server
// swallow: nobody has read it as long as it is not written.
const moreThanBuffers = 8 << 20

// event notes that an event happens now; the caller's cancel may follow from it.
func (w *walk) event(kinds ...eventlog.Kind) {
	for _, k := range kinds {
		if _, again := w.seen[k]; again {
			continue
		}
		w.seen[k] = w.now
		if k == w.cancelOn {
			w.cancelAt = w.now + w.cancelAfter
			w.cancelsAtOnce()
		}
	}
}

func (w *walk) cancelsAtOnce() {
	if w.cancelAfter < tieGap {
		w.chance = "what else happens at the moment of a cancel"
	}
}

// until moves to an upstream or arranged event, or to the earliest bound
// before it, which it returns. Two instants too near to call are a tie.
func (w *walk) until(what, upstream string, at time.Duration, limits ...bound) *bound {
	first := w.earliest(limits)
	if gap := at - first.at; at != never && at >= w.now && gap < tieGap && gap > -tieGap {
		w.tie(Tie{Upstream: upstream, UpstreamAt: at, Limit: first.name, LimitAt: first.at, key: first.key})
	}
	hit := w.move(what, at, first)
	rivals := func(b bound) bool { return b.outcome != first.outcome && b.at < first.at+tieGap }
	if hit != nil && slices.ContainsFunc(w.everyBound(limits), rivals) {
		w.chance = "which of two limits ends a wait first that end at one moment"
	}
	return hit
}

// tie keeps one of several events at one instant: they are one mistake.
func (w *walk) tie(t Tie) {
	if n := len(w.ties); n == 0 || w.ties[n-1].key != t.key || w.ties[n-1].LimitAt != t.LimitAt || w.ties[n-1].UpstreamAt != t.UpstreamAt {
		w.ties = append(w.ties, t)
	}
}

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

// earliest is the first of the limits and of what ends the whole operation.
func (w *walk) earliest(limits []bound) bound {
	return slices.MinFunc(w.everyBound(limits), func(a, b bound) int { return int(min(max(a.at-b.at, -1), 1)) })
}

func (w *walk) everyBound(limits []bound) []bound {
	return append(slices.Clone(limits),
		bound{"deadline", "operation.budget_ms", w.deadline, eventlog.DeadlineExceeded},
		bound{"caller's deadline", "caller_deadline_ms", w.callerAt, eventlog.DeadlineExceeded},
		bound{"cancel", "scenario.delay_after_event_ms", w.cancelAt, eventlog.Cancelled},
		w.cap)
}

func hardCap(s *scenario.Scenario) bound {
	if s.CapMs != nil {
		return bound{"hard cap", "cap_ms", s.Cap(), eventlog.CapReached}
	}
	return bound{"hard cap", "operation.budget_ms", s.Cap(), eventlog.CapReached}
}

// ended is what has ended the operation by now; nil = nothing.
func (w *walk) ended() *bound {
	if first := w.earliest(nil); w.now >= first.at {
		return &first
	}
	return nil
}

// withoutDeadline makes f under no deadline of the operation's own, as unbound code does.
func (w *walk) withoutDeadline(unbound bool, f func()) {
	if unbound {
		deadline := w.deadline
		w.deadline = never
		defer func() { w.deadline = deadline }()
	}
	f()
}

// freeAt is when a slot is free for one who asks for it at an instant, behind
// those who have one or wait for one already.
func (w *walk) freeAt(asked time.Duration) time.Duration {
	free := never
	for _, at := range append(endsOf(w.busy), asked) {
		if at >= asked && at < free && w.busyAt(at) < max(1, w.slots) {
			free = at
		}
	}
	return free
}

func endsOf(list []interval) []time.Duration {
	ends := make([]time.Duration, len(list))
	for i, one := range list {
		ends[i] = one.to
	}
	return ends
}

// busyAt counts the slots that others hold at an instant.
func (w *walk) busyAt(at time.Duration) int {
	n := 0
	for _, b := range w.busy {
		if b.from <= at && at < b.to {
			n++
		}
	}
	return n
}
