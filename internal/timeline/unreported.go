package timeline

import (
	"cmp"
	"slices"

	"github.com/deadlinelab/deadlinelab/internal/eventlog"
)

// attemptKeys are the keys that only a client that reports its attempts can fill.
var attemptKeys = []string{"attempts", "attempts_after_deadline", "headers_received", "body_complete", "http_timer_ms", "to_headers_ms", "waste_ms"}

// Why a figure is null.
const (
	blindBecause   = "the client does not report its attempts: what it sent is known from the server alone"
	headersBecause = "the client does not report when headers arrive"
	bodyBecause    = "the client does not report when a body is complete"
	firedBecause   = "the client does not report when its deadline fires"
	pausesBecause  = "the client does not report its pauses"
)

// forgetAttempts: what a client tells in part is not counted as the whole.
func (d *builder) forgetAttempts() {
	if d.blind {
		d.attempts, d.strayProblems, d.op.Attempts = nil, nil, nil
	}
}

// hide names keys that are null because the client does not tell.
func (op *Operation) hide(keys []string, because string) {
	op.Unreported = append(op.Unreported, keys...)
	if op.UnreportedBecause != "" {
		because = op.UnreportedBecause + "; " + because
	}
	op.UnreportedBecause = because
}

// tells is what one client in another process is known to report, from all of
// its operations in the run.
type tells struct {
	headers, body           bool // it did at least once
	missedHeaders, noBodies bool // they came at least once, and it did not
	pauses, missedPauses    bool // it did at least once; there was one at least once, and it did not
}

// hideUnreported makes null what a client never reports although it happened:
// false would say that it did not.
func (r *Run) hideUnreported() {
	of := map[string]*tells{}
	for _, d := range r.builders {
		if d.op == nil || d.op.Client == "" || d.blind || !d.op.Finished {
			continue
		}
		if of[d.op.Variant] == nil {
			of[d.op.Variant] = &tells{}
		}
		of[d.op.Variant].learn(d, r.in.BoundNs)
	}
	for _, d := range r.builders {
		if d.op != nil && !d.blind && of[d.op.Variant] != nil {
			d.hide(of[d.op.Variant])
			d.hideWaste(of[d.op.Variant])
		}
	}
}

func (t *tells) learn(d *builder, bound int64) {
	for i := range d.attempts {
		a := &d.attempts[i]
		t.headers, t.body = t.headers || a.hasHeaders, t.body || a.bodyDone
	}
	success := d.op.Outcome == eventlog.Success && len(d.attempts) > 0
	t.missedHeaders = t.missedHeaders || success || d.answered(bound)
	t.noBodies = t.noBodies || success
	t.pauses, t.missedPauses = t.pauses || len(d.backoffs) > 0, t.missedPauses || d.paused()
}

// leastPause is from where on nothing but a pause explains what lies between two
// attempts.
const leastPause = int64(20e6)

func (d *builder) paused() bool {
	for i := 1; i < len(d.attempts); i++ {
		if d.attempts[i].from-d.attempts[i-1].to > leastPause+nanoseconds(d.op.StallMs) {
			return true
		}
	}
	return false
}

// hideWaste: waste is a pause that the deadline cut short, and takes the account
// of both.
func (d *builder) hideWaste(t *tells) {
	switch {
	case !d.op.Finished:
	case t.missedPauses && !t.pauses:
		d.op.WasteMs = nil
		d.op.hide([]string{"waste_ms"}, pausesBecause)
		d.op.Where.Unreported, d.op.Where.Cleanup = milli(d.op.Where.Unreported+d.op.Where.Cleanup), 0
	case d.fired == nil && d.cutShort():
		d.op.WasteMs = nil
		d.op.hide([]string{"waste_ms"}, firedBecause)
	}
}

// cutShort tells whether the operation ended in a pause, before its planned end,
// and neither its caller nor the bench had stopped it.
func (d *builder) cutShort() bool {
	if len(d.backoffs) == 0 || d.asked != nil || d.op.Outcome == eventlog.CapReached {
		return false
	}
	last := &d.backoffs[len(d.backoffs)-1]
	return d.nextAttempt(last.from) == d.end && last.from+last.planned > d.end
}

// arrivesWithin is how long what the server wrote may be under way.
const arrivesWithin = int64(5e6)

// answered tells whether a head of the server must have reached an attempt.
func (d *builder) answered(bound int64) bool {
	return slices.ContainsFunc(d.exchanges, func(x exchange) bool {
		return x.assigned != nobodyAttempt && x.headed < d.attempts[x.assigned].to-arrivesWithin-bound
	})
}

func (d *builder) hide(t *tells) {
	if t.missedHeaders && !t.headers {
		d.op.HeadersReceived, d.op.BodyComplete, d.op.ToHeadersMs = nil, nil, nil
		d.op.hide([]string{"headers_received", "body_complete", "to_headers_ms"}, headersBecause)
		if d.op.Finished {
			d.op.Where = d.whereByServer()
		}
	} else if t.noBodies && !t.body {
		d.op.BodyComplete = nil
		d.op.hide([]string{"body_complete"}, bodyBecause)
	}
}

// whereByServer partitions the duration of an operation by the server's account
// of its requests: until the head it is the server's, then the body's. What the
// client tells of its queues and pauses fills the gaps; the rest is unreported.
func (d *builder) whereByServer() Where {
	p, open := partition{}, []*exchange(nil)
	p.start(d.t0)
	p.in = inUnreported
	next := 0
	for _, t := range d.turns() {
		p.advance(min(t, d.end))
		for ; next < len(d.exchanges) && d.exchanges[next].start <= t; next++ {
			if x := &d.exchanges[next]; x.started {
				open = append(open, x)
			}
		}
		open = slices.DeleteFunc(open, func(x *exchange) bool { return x.over() <= t })
		p.in = d.partAt(open, t)
	}
	p.advance(d.end)
	return p.where()
}

// turns are the instants at which the part may change, in order.
func (d *builder) turns() []int64 {
	turns := []int64{d.t0}
	for i := range d.exchanges {
		x := &d.exchanges[i]
		turns = append(turns, x.start, min(x.headed, x.over()), x.over())
	}
	for _, w := range d.waits {
		turns = append(turns, w.from, w.to)
	}
	for _, b := range d.backoffs {
		turns = append(turns, b.from, b.to)
	}
	slices.Sort(turns)
	return turns
}

// over is when nothing more of the exchange concerns its client.
func (x *exchange) over() int64 {
	over := x.bodied
	if x.sawGone {
		over = min(over, x.gone)
	}
	if x.ended {
		over = min(over, x.end)
	}
	return over
}

// partAt goes by the latest request that is open.
func (d *builder) partAt(open []*exchange, t int64) part {
	if len(open) > 0 {
		latest := slices.MaxFunc(open, func(a, b *exchange) int { return cmp.Compare(a.start, b.start) })
		if latest.headed <= t {
			return inBody
		}
		return inServer
	}
	covers := func(i interval) bool { return i.from <= t && t < i.to }
	switch {
	case slices.ContainsFunc(d.waits, covers):
		return inAdmission
	case slices.ContainsFunc(d.backoffs, func(b pause) bool { return covers(b.interval) }):
		return inBackoff
	}
	return inUnreported
}
