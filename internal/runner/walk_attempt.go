package runner

import (
	"fmt"
	"time"

	"github.com/deadlinelab/deadlinelab/internal/eventlog"
	"github.com/deadlinelab/deadlinelab/internal/fault"
	"github.com/deadlinelab/deadlinelab/internal/variants"
)

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
		w.tie(Tie{Upstream: "a silence ends", UpstreamAt: at + gap, Limit: read.name, LimitAt: at, key: read.key})
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
