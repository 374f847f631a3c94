package predict

import (
	"net/http"
	"time"

	"github.com/deadlinelab/deadlinelab/internal/fault"
	"github.com/deadlinelab/deadlinelab/internal/variants"
)

// kept is a connection between two exchanges of an operation. The zero value is
// none: the next exchange has a new one.
type kept struct {
	served int           // exchanges on it
	freeAt time.Duration // the server reads the next request no earlier: its script of the last one goes on
	idle   time.Duration // since when it is
	closes time.Duration // after how long without a request the server closes it; 0 = never

	ending  bool // its end is on the way, and was not announced
	garbled bool // and so is something that is no answer
}

// keep is what becomes of the connection of an exchange that began at from and
// is over for its client.
func (w *walk) keep(t *attempt, on kept, a fault.Answer, from time.Duration) {
	if w.place.EarlyCancel && a.Redirect == "" && t.method != http.MethodHead && a.Status != http.StatusNoContent && a.Status != http.StatusNotModified {
		return // with its body unread
	}
	w.kept = kept{ending: !a.Keeps && !a.Says, garbled: a.Garbled, idle: w.now}
	if !a.Keeps {
		return
	}
	w.kept.served, w.kept.freeAt = on.served+1, from+a.Done
	w.kept.closes = fault.IdleCloseOf(w.scenario.Fault, w.path.Requests)
}

// reuseKept is the connection that a request gets now.
func (w *walk) reuseKept(t *attempt) kept {
	on := w.kept
	w.kept = kept{}
	if on.ending {
		if on.idle == w.now && (on.garbled || !w.repeats(t)) {
			w.chance = "a request at the moment at which its connection ends"
		}
		return kept{}
	}
	if w.tooIdle(on.idle, w.keepIdle) || w.tooIdle(max(on.idle, on.freeAt), on.closes) {
		return kept{}
	}
	return on
}

// tooIdle tells whether a connection has been idle for longer than it may be; 0 = for good.
func (w *walk) tooIdle(since, limit time.Duration) bool {
	over := w.now - since - limit
	if limit > 0 && over > -tieGap && over < tieGap {
		w.chance = "a request at the moment at which its connection is idle for too long"
	}
	return limit > 0 && over >= 0
}

// keepIdle is for how long a client keeps a connection that it does not use; 0 = for good.
func keepIdle(v variants.Variant) time.Duration {
	var tuned http.Transport
	if v.Tune != nil {
		v.Tune(&tuned, variants.Policy{})
	}
	return tuned.IdleConnTimeout
}

// delayed is an answer to a request that the server reads later than it is sent.
func (on kept) delayed(a fault.Answer, sent time.Duration) fault.Answer {
	late := on.freeAt - sent
	if late <= 0 {
		return a
	}
	first := late + max(a.Headers, 0)
	if a.HeadGap = max(a.HeadGap, first); a.MaxGap != fault.Forever {
		a.MaxGap = max(a.MaxGap, first)
	}
	if a.Headers >= 0 {
		a.Headers += late
	}
	if a.Body >= 0 {
		a.Body += late
	}
	a.Done += late
	return a
}

// repeats tells whether net/http sends a request again whose connection ended
// before anything came back: not one that may have had an effect.
func (w *walk) repeats(t *attempt) bool {
	return t.method == http.MethodGet || t.method == http.MethodHead || w.env.IdempotencyKey != ""
}

// redirected makes of the request what net/http makes of it after a redirect.
func (t *attempt) redirected(status int) {
	if status == http.StatusTemporaryRedirect || status == http.StatusPermanentRedirect {
		return
	}
	t.body = 0
	if t.method != http.MethodHead {
		t.method = http.MethodGet
	}
}
