package predict

import (
	"time"

	"github.com/deadlinelab/deadlinelab/internal/eventlog"
	"github.com/deadlinelab/deadlinelab/internal/fault"
	"github.com/deadlinelab/deadlinelab/internal/variants"
)

// mostHops is how many redirects http.Client follows.
const mostHops = 10

// drained is how much of a request that nobody reads net/http takes before it
// closes the connection.
const drained = 256 << 10

// receive is head and body of one answer.
func (w *walk) receive(t *attempt, on kept, a fault.Answer) (eventlog.Outcome, int) {
	from := w.now
	sent, awaited := w.asksFirst(t)
	if awaited && a.Headers >= 0 {
		a.Headers, a.Body = max(a.Headers, sent), max(a.Body, sent)
	}
	if a.Unread && (sent == 0 || sent < a.Headers) {
		w.chance = "the server closes with some of the request unread: a reset, which may overtake the answer"
	}
	if a.Headers >= 0 && a.Headers < tieGap && t.body > drained {
		w.chance = "an answer that may come before the server has read what its client still sends"
	}
	read, head := w.answerBounds(t, a, sent)
	defer func() {
		if w.now < on.freeAt {
			w.chance = "a request on a connection whose server still has to do with the last one"
		}
	}()
	if a.Headers < 0 && a.Outcome != "" {
		if hit := w.until(t.what, "the connection ends", instant(from, a.Body), t.total, read, head); hit != nil {
			return hit.outcome, 0
		}
		if a.Silent && on.served > 0 && w.repeats(t) {
			return w.exchange(t) // net/http sends it again, on a new connection
		}
		return a.Outcome, 0
	}
	if hit := w.until(t.what, "the response head arrives", instant(from, a.Headers), t.total, read, head); hit != nil {
		return hit.outcome, 0
	}
	w.event(eventlog.FaultFired, eventlog.ServerHeadersPrepared, eventlog.ServerHeadersWritten, eventlog.HeadersReceived, eventlog.ServerBodyWritten)
	w.asked = a.RetryAfter - time.Duration((1-w.share)*float64(a.RetrySpread))
	w.coded = a.Coded
	w.dated = w.dated || a.RetrySpread > 0
	if a.Redirect != "" {
		w.keep(t, on, a, from)
		return w.follow(t, a)
	}
	outcome, status := w.receiveBody(t, a, instant(from, a.Body), read)
	if w.now == max(from, instant(from, a.Body)) && outcome != eventlog.TransportError {
		w.keep(t, on, a, from)
	}
	return outcome, status
}

// answerBounds are the limits on silence and on the response head, which is
// counted from the request's end, sent after now.
func (w *walk) answerBounds(t *attempt, a fault.Answer, sent time.Duration) (read, head bound) {
	read, head = w.silenceBound(a, t.silence), w.headBound()
	if head.at != never {
		head.at += sent
	}
	if t.body >= moreThanBuffers && fault.ReadingOf(w.scenario.Fault, w.path.Requests) == fault.Unread {
		read.at, head.at = never, never // they begin when the request is written
	}
	return read, head
}

// receiveBody is what follows the head, up to end, and what the answer is worth.
func (w *walk) receiveBody(t *attempt, a fault.Answer, end time.Duration, read bound) (eventlog.Outcome, int) {
	if w.place.EarlyCancel && (a.Body != a.Headers || a.Outcome == eventlog.TransportError) {
		return eventlog.Cancelled, a.Status
	}
	failed := a.Status < 200 || a.Status > 299
	if drained := w.now + variants.DrainTime; failed && w.place.FitPauses && end > drained {
		w.move(t.what+" drain", drained, w.earliest([]bound{t.total}))
		return eventlog.UnexpectedStatus, a.Status
	}
	if hit := w.until(t.what+" body", "the body ends", end, t.total, read); hit != nil {
		return hit.outcome, 0
	}
	switch {
	case a.Outcome != "" && !failed:
		return a.Outcome, a.Status
	case failed:
		return eventlog.UnexpectedStatus, a.Status
	}
	return eventlog.Success, a.Status
}

// asksFirst is when a client that asked with Expect: 100-continue sends its
// body: when it may, or when it has waited for long enough.
func (w *walk) asksFirst(t *attempt) (time.Duration, bool) {
	if !w.place.AsksFirst || t.body == 0 || w.headLimit == 0 {
		return 0, false
	}
	at, awaits := fault.ContinueOf(w.scenario.Fault, w.path.Requests)
	if at < 0 || at > w.headLimit {
		at = w.headLimit
	}
	return at, awaits
}

// follow is the next hop of the same attempt.
func (w *walk) follow(t *attempt, a fault.Answer) (eventlog.Outcome, int) {
	if t.hops++; t.hops >= mostHops {
		return eventlog.TransportError, 0
	}
	switch a.Redirect {
	case fault.ToRefused:
		return w.connection(t, fault.Refused, 0), 0
	case fault.ToBlackHole:
		return w.connection(t, fault.BlackHole, 0), 0
	}
	t.redirected(a.Status)
	return w.exchange(t)
}

// silenceBound is when a limit between two reads ends the attempt.
func (w *walk) silenceBound(a fault.Answer, silence time.Duration) bound {
	read := bound{"sock_read_ms", "attempt.sock_read_ms", never, eventlog.AttemptTimeout}
	if silence > 0 && (a.Headers < 0 || a.MaxGap > silence) {
		read.at = firstSilence(w.now, a, silence)
	}
	for _, length := range []time.Duration{a.HeadGap, a.MaxGap} {
		if gap := length - silence; silence > 0 && length > 0 && gap < tieGap && gap > -tieGap {
			at := firstSilence(w.now, a, silence)
			w.tie(Tie{Upstream: "a silence ends", UpstreamAt: at + gap, Limit: read.name, LimitAt: at, key: read.key})
		}
	}
	return read
}

// firstSilence is when a silence limit ends the attempt: while it waits for a
// late head, or in the body's first gap.
func firstSilence(from time.Duration, a fault.Answer, silence time.Duration) time.Duration {
	if a.Headers < 0 || a.HeadGap > silence-tieGap {
		return from + silence
	}
	return from + a.Headers + silence
}

// instant is d after from; fault.Never does not come.
func instant(from, d time.Duration) time.Duration {
	if d < 0 {
		return never
	}
	return from + d
}

func after(from, limit time.Duration) time.Duration {
	if limit == 0 {
		return never
	}
	return from + limit
}
