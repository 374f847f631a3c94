package predict

import (
	"fmt"
	"time"

	"github.com/deadlinelab/deadlinelab/internal/eventlog"
	"github.com/deadlinelab/deadlinelab/internal/fault"
	"github.com/deadlinelab/deadlinelab/internal/scenario"
	"github.com/deadlinelab/deadlinelab/internal/variants"
)

func (w *walk) slottedAttempt(n int) (outcome eventlog.Outcome, status int) {
	if w.place.SlotPer != "attempt" {
		w.withoutDeadline(w.place.UnboundAttempt, func() { outcome, status = w.attempt(n) })
		return outcome, status
	}
	if hit := w.slot(); hit != nil {
		return hit.outcome, 0
	}
	from := w.now
	defer func() { w.held = append(w.held, interval{from, w.now}) }()
	return w.attempt(n)
}

// attempt is one attempt with the limits that act on it.
type attempt struct {
	what    string
	total   bound         // over everything
	connect time.Duration // limit of the wait for a connection, in each hop; 0 = none
	dial    time.Duration // limit of one dial; 0 = none
	silence time.Duration // between two reads; 0 = none
	hops    int           // redirects followed
	method  string        // of its next request
	body    int64         // bytes of that request's body
}

// attempt is connection, then answer. One under a context that has ended sends nothing.
func (w *walk) attempt(n int) (eventlog.Outcome, int) {
	w.path.Attempts++
	w.event(eventlog.AttemptStarted, eventlog.ConnectionWaitStarted)
	w.asked = 0
	if hit := w.ended(); hit != nil {
		return hit.outcome, 0
	}
	limits := w.attemptLimits()
	return w.exchange(&attempt{what: fmt.Sprintf("attempt %d", n), total: w.totalBound(n, limits.Total),
		connect: limits.Connect, dial: limits.SockConnect, silence: limits.SockRead,
		method: w.scenario.Method, body: int64(w.scenario.BodyBytes)})
}

func (w *walk) totalBound(n int, total time.Duration) bound {
	switch w.place.Total {
	case "budget":
		return bound{"client_timeout", "operation.budget_ms", after(w.now, total), eventlog.AttemptTimeout}
	case "share":
		left := min(w.deadline, w.callerAt) - w.now
		if share := variants.Share(w.env, n, left, w.least()); share < left {
			return bound{"share", "attempt.total_ms", w.now + share, eventlog.AttemptTimeout}
		}
		return bound{"share", "attempt.total_ms", never, eventlog.AttemptTimeout}
	}
	return bound{"total_ms", "attempt.total_ms", after(w.now, total), eventlog.AttemptTimeout}
}

// least is what the budgeted client wants an attempt to have.
func (w *walk) least() time.Duration {
	return variants.LeastAttempt(min(w.policy.Budget, w.callerAt), w.policy.Limits.Total)
}

func (w *walk) attemptLimits() variants.Limits {
	l := w.policy.Limits
	if w.place.Deadline != "remaining" {
		return l
	}
	left := w.policy.Budget - w.now
	return variants.Limits{SockConnect: least(left, l.SockConnect), SockRead: least(left, l.Total)}
}

// least is what is left, cut to the limit if there is one.
func least(left, limit time.Duration) time.Duration {
	if limit == 0 {
		return left
	}
	return min(left, limit)
}

// exchange is one request and its answer.
func (w *walk) exchange(t *attempt) (eventlog.Outcome, int) {
	on := w.reuseKept(t)
	if outcome := w.connection(t, w.meets(on), w.connect.For); outcome != "" {
		return outcome, 0
	}
	w.event(eventlog.ConnectStarted, eventlog.ConnectFinished, eventlog.ConnectionAcquired, eventlog.RequestWritten,
		eventlog.ServerRequestStarted, eventlog.FaultArmed)
	w.path.Requests++
	return w.receive(t, on, w.answer(t, on))
}

// answer is what Serve of the fault gives to the newest request.
func (w *walk) answer(t *attempt, on kept) fault.Answer {
	q := fault.Request{Phase: w.phase, Number: w.path.Requests, OnConnection: on.served + 1, Hop: t.hops + 1,
		Method: t.method, BodyBytes: t.body, At: w.t0.Add(max(w.now, on.freeAt))}
	a := w.rehearse(q)
	if w.callers > 1 && w.scenario.Shares(scenario.ShareTransport) {
		q.OnConnection++
		if !a.Keeps && !a.Says || a.Done > max(a.Headers, a.Body) || w.rehearse(q) != a {
			w.chance = "which connection of the callers a request gets"
		}
	}
	return on.delayed(a, w.now)
}

// meets is what the next connection meets; each attempt has one of its own
// until one is served.
func (w *walk) meets(on kept) fault.ConnectionKind {
	if on.served > 0 {
		return ""
	}
	w.connects++
	if w.connect.Times > 0 && w.connects > w.connect.Times {
		return ""
	}
	return w.connect.Kind
}

// connection is the wait for one, out of the pool or by a dial; what ends the
// attempt there is its outcome.
func (w *walk) connection(t *attempt, kind fault.ConnectionKind, lasts time.Duration) eventlog.Outcome {
	at := max(w.now, w.connectionAt)
	limits := []bound{t.total, {"connect_ms", "attempt.connect_ms", after(w.now, t.connect), eventlog.ConnectTimeout}}
	switch kind {
	case fault.Refused:
		return eventlog.ConnectError
	case fault.ResetOnAccept:
		w.chance = "whether the reset comes before the client's dial has ended"
		return eventlog.TransportError
	case fault.AcceptSilence:
		return w.silence(t, lasts)
	case fault.BlackHole:
		limit := w.dialLimit(t)
		w.dialFor(limit)
		at = w.through(lasts)
		limits = append(limits, bound{"sock_connect_ms", "attempt.sock_connect_ms", after(w.now, limit), eventlog.ConnectTimeout})
	}
	if at <= w.now && (t.connect == 0 || t.connect > tieGap) {
		return "" // it is not waited for: what is short of time ends in what follows
	}
	if hit := w.until("connection", "the connection becomes free", at, limits...); hit != nil {
		return hit.outcome
	}
	return ""
}

// dialFor begins a dial, unless those that live on are all that the pool allows.
func (w *walk) dialFor(limit time.Duration) {
	alive := 0
	for _, d := range w.dials {
		if w.now < d.to {
			alive++
		}
	}
	if w.connections == 0 || alive < w.connections {
		w.dials = append(w.dials, interval{w.now, after(w.now, limit)})
	}
}

// dialLimit is that of one dial: the budgeted client's ends soon after its attempt.
func (w *walk) dialLimit(t *attempt) time.Duration {
	if w.place.Total != "share" {
		return t.dial
	}
	end := min(t.total.at, w.deadline, w.callerAt)
	return least(end-w.now+variants.DialSpare, t.dial)
}

// through is when the first dial gets to a listener that drops handshakes until
// open, 0 = for good: one that an earlier attempt began lives on until its own
// limit, and its connection serves whoever waits for one.
func (w *walk) through(open time.Duration) time.Duration {
	first := never
	for _, d := range w.dials {
		at := handshake(d.from, open)
		if open > 0 && at >= w.now && at <= d.to {
			first = min(first, at)
		}
	}
	return first
}

// handshake is when a dial gets through that begins at from, to a listener
// that drops handshakes until open: its system tries again after 1, 3, 7 … s.
func handshake(from, open time.Duration) time.Duration {
	for wait := time.Second; from < open; wait *= 2 {
		from += wait
	}
	return from
}

// silence is a connection on which no request is ever read.
func (w *walk) silence(t *attempt, lasts time.Duration) eventlog.Outcome {
	if lasts > 0 {
		lasts += w.now
	} else {
		lasts = never
	}
	read := bound{"sock_read_ms", "attempt.sock_read_ms", after(w.now, t.silence), eventlog.AttemptTimeout}
	if hit := w.until(t.what, "the connection is closed", lasts, t.total, read, w.headBound()); hit != nil {
		return hit.outcome
	}
	return eventlog.TransportError
}

func (w *walk) headBound() bound {
	return bound{"header_timeout", "attempt.sock_read_ms", after(w.now, w.headLimit), eventlog.AttemptTimeout}
}
