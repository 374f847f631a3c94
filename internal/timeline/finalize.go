package timeline

import "github.com/deadlinelab/deadlinelab/internal/eventlog"

// finalize turns the builder into the record, once both sides have been read.
func (d *builder) finalize(marginMs float64, bound int64) {
	d.finalizeSpans()
	d.finalizeExchanges()
	d.finalizeCounts()
	if !d.op.Finished {
		return
	}
	d.finalizeTimes(marginMs)
	d.finalizeTimers()
	if !d.blind {
		d.op.WasteMs = new(d.waste())
	}
	d.op.Stop = d.stop(bound)
}

func (d *builder) finalizeSpans() {
	op := d.op
	if len(d.waits) > 0 {
		op.Admission = new(d.waits[0].span(d.t0))
	}
	for i := range d.slots {
		op.Slots = append(op.Slots, d.slots[i].span(d.t0))
	}
	for i := range d.backoffs {
		b := &d.backoffs[i]
		op.Backoffs = append(op.Backoffs, Backoff{After: b.after, PlannedMs: millis(b.planned), Span: b.span(d.t0), Finished: b.sleptOut})
	}
	for i := range d.attempts {
		a := &d.attempts[i]
		a.Span = a.span(d.t0)
		a.Connection, a.DNS, a.Connect, a.TLS = a.wait.maybe(d.t0), a.dns.maybe(d.t0), a.dial.maybe(d.t0), a.tls.maybe(d.t0)
	}
}

func (d *builder) finalizeExchanges() {
	for i := range d.exchanges {
		x := &d.exchanges[i]
		if x.started {
			d.op.ServerRequests++
		}
		if d.blind {
			d.op.Exchanges = append(d.op.Exchanges, x.Exchange)
			continue
		}
		if x.assigned == nobodyAttempt {
			d.op.Stray = append(d.op.Stray, x.Exchange)
			continue
		}
		a := &d.attempts[x.assigned]
		a.Exchanges = append(a.Exchanges, x.Exchange)
	}
	for i := range d.attempts {
		d.op.Attempts = append(d.op.Attempts, d.attempts[i].Attempt)
	}
	for i := range d.exchanges {
		d.op.faultLate(d.exchanges[i].FaultLateMs)
	}
}

// faultLate keeps the largest lateness.
func (op *Operation) faultLate(ms *float64) {
	if ms != nil && (op.FaultLateMs == nil || *ms > *op.FaultLateMs) {
		op.FaultLateMs = new(*ms)
	}
}

func (d *builder) finalizeCounts() {
	d.op.Commits = d.commits
	if d.blind {
		d.op.hide(attemptKeys, blindBecause)
		return
	}
	late, headers, body := 0, false, false
	for i := range d.attempts {
		a := &d.attempts[i]
		late += one(a.from > d.deadline)
		if a.hasHeaders {
			headers, body = true, a.bodyDone
		}
	}
	d.op.AttemptsAfterDeadline, d.op.HeadersReceived, d.op.BodyComplete = &late, &headers, &body
}

func (d *builder) finalizeTimes(marginMs float64) {
	op := d.op
	op.DurationMs = millis(d.end - d.t0)
	op.Where = d.parts.where()
	if d.blind {
		op.Where = d.whereByServer()
	}
	op.judge(d.end-d.deadline, marginMs)
}

// judge says whether it was in time, by how far beyond the deadline it ended.
func (op *Operation) judge(overshoot int64, marginMs float64) {
	op.Overshoot = millis(overshoot)
	op.Late = float64(overshoot) > marginMs*1e6
	op.InBudget = op.Outcome == eventlog.Success && !op.Late
	op.Promise = promise(op)
}

// promise: the hard cap hides how late an operation would have been; lateness
// comes before everything else that the caller got.
func promise(op *Operation) Promise {
	switch {
	case op.Outcome == eventlog.CapReached:
		return Unbounded
	case op.Late:
		return Late
	case op.Outcome == eventlog.Cancelled:
		return CancelledByCaller
	case op.InBudget:
		return Kept
	}
	return FailedInTime
}

// finalizeTimers computes the two metrics that lie.
func (d *builder) finalizeTimers() {
	sum := int64(0)
	for i := range d.attempts {
		a := &d.attempts[i]
		sum += a.to - a.from
		if a.hasHeaders {
			d.op.ToHeadersMs = new(millis(a.headers - a.from))
		}
	}
	if len(d.attempts) > 0 {
		d.op.HTTPTimerMs = new(millis(sum))
	}
}

// waste is the time slept up to the deadline that fired, in a backoff whose
// planned end lies at or after it: no further attempt could fit.
func (d *builder) waste() float64 {
	if d.fired == nil {
		return 0
	}
	for i := range d.backoffs {
		b := &d.backoffs[i]
		deadline := d.firedDeadline(b.from)
		if b.from <= deadline && deadline <= b.to && b.from+b.planned >= deadline {
			return millis(deadline - b.from)
		}
	}
	return 0
}

// firedDeadline is the deadline that fired, not the moment when it did: the one
// the event names, else the caller's if it lies in the pause, else the moment.
func (d *builder) firedDeadline(pause int64) int64 {
	fired := d.firedAt()
	switch {
	case d.fired.DueNs != 0:
		return instant(d.fired.DueNs)
	case pause <= d.deadline && d.deadline <= fired:
		return d.deadline
	}
	return fired
}
