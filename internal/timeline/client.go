package timeline

import "github.com/deadlinelab/deadlinelab/internal/eventlog"

// clientSteps is what each client event does to its operation.
var clientSteps = map[eventlog.Kind]func(d *builder, e *eventlog.Event, t int64){
	eventlog.AdmissionWaitStarted: func(d *builder, _ *eventlog.Event, t int64) { d.waits = append(d.waits, opened(t)) },
	eventlog.AdmissionAcquired:    (*builder).admitted,
	eventlog.AdmissionReleased:    func(d *builder, _ *eventlog.Event, t int64) { closeLast(d.slots, t) },
	eventlog.AttemptStarted:       (*builder).attemptStarted,
	eventlog.AttemptFinished:      (*builder).attemptEnded,
	eventlog.AttemptTimedOut:      (*builder).attemptEnded,
	eventlog.AttemptCancelled:     (*builder).attemptEnded,
	eventlog.AttemptFailed:        (*builder).attemptEnded,

	eventlog.ConnectionWaitStarted: inAttemptStep(func(a *attempt, _ *eventlog.Event, t int64) { begin(&a.wait, t) }),
	eventlog.ConnectionAcquired:    inAttemptStep((*attempt).acquired),
	eventlog.DNSStarted:            inAttemptStep(func(a *attempt, _ *eventlog.Event, t int64) { begin(&a.dns, t) }),
	eventlog.DNSFinished:           inAttemptStep(func(a *attempt, _ *eventlog.Event, t int64) { extend(a.dns, t) }),
	eventlog.ConnectStarted:        inAttemptStep(func(a *attempt, _ *eventlog.Event, t int64) { begin(&a.dial, t) }),
	eventlog.ConnectFinished:       inAttemptStep(func(a *attempt, _ *eventlog.Event, t int64) { extend(a.dial, t) }),
	eventlog.TLSStarted:            inAttemptStep(func(a *attempt, _ *eventlog.Event, t int64) { begin(&a.tls, t) }),
	eventlog.TLSFinished:           inAttemptStep(func(a *attempt, _ *eventlog.Event, t int64) { extend(a.tls, t) }),

	eventlog.BackoffStarted:  (*builder).backoffStarted,
	eventlog.BackoffFinished: (*builder).backoffFinished,

	eventlog.DeadlineFired:           func(d *builder, e *eventlog.Event, _ int64) { first(&d.fired, e) },
	eventlog.ExternalCancelRequested: (*builder).cancelRequested,
	eventlog.CancellationObserved:    (*builder).cancellationObserved,
}

// ownTimer are the events by which a timer of the client acts; their late_ms is
// the machine's doing, because nothing of the client's code runs in between.
var ownTimer = map[eventlog.Kind]bool{eventlog.DeadlineFired: true, eventlog.AttemptTimedOut: true, eventlog.ExternalCancelRequested: true}

// attemptMoments are single instants inside an attempt; the last one counts,
// because a redirect or a replay comes before the answer.
var attemptMoments = map[eventlog.Kind]func(d *builder, a *attempt, e *eventlog.Event, t int64){
	eventlog.RequestWritten: func(d *builder, a *attempt, _ *eventlog.Event, t int64) { a.WrittenMs = new(millis(t - d.t0)) },
	eventlog.HeadersReceived: func(d *builder, a *attempt, e *eventlog.Event, t int64) {
		a.HeadersMs, a.Status, a.headers, a.hasHeaders = new(millis(t-d.t0)), e.Status, t, true
		a.BodyMs, a.BodyBytes, a.bodyDone = nil, 0, false
	},
	eventlog.BodyFinished: func(d *builder, a *attempt, e *eventlog.Event, t int64) {
		a.BodyMs, a.BodyBytes, a.bodyDone = new(millis(t-d.t0)), max(e.Bytes, e.Total), e.Error == "" && e.ErrorType == ""
	},
}

// readClient follows the client's events of one operation in their order.
func (d *builder) readClient(events Events, at []int32) {
	var event eventlog.Event
	for _, i := range asHappened(events, at) {
		event = events.At(int(i))
		e := &event
		t := happened(e)
		switch {
		case e.Kind == eventlog.OperationStarted:
			d.operationStarted(e, t)
		case d.op == nil:
		case e.Kind == eventlog.OperationFinished:
			d.operationFinished(e, t)
		default:
			d.clientEvent(e, t)
		}
	}
	if d.op != nil {
		d.forgetAttempts()
		d.cutOpen()
	}
}

func (d *builder) clientEvent(e *eventlog.Event, t int64) {
	if d.ends == 0 {
		d.parts.step(e, t)
		d.end = d.parts.at
	}
	if e.Cause == eventlog.HardCap {
		first(&d.capped, e)
	}
	if ownTimer[e.Kind] {
		d.timersMs += max(0, e.LateMs)
	}
	if step, known := clientSteps[e.Kind]; known {
		step(d, e, t)
	} else if moment, known := attemptMoments[e.Kind]; known {
		if a := d.attempt(e.Attempt); a != nil {
			moment(d, a, e, t)
		}
	}
}

func (d *builder) admitted(_ *eventlog.Event, t int64) {
	closeLast(d.waits, t)
	d.slots = append(d.slots, opened(t))
}

func (d *builder) attemptStarted(e *eventlog.Event, t int64) {
	n := e.Attempt
	if n == 0 {
		n = len(d.attempts) + 1
	}
	d.attempts = append(d.attempts, attempt{Attempt: Attempt{N: n}, interval: opened(t)})
}

func (d *builder) attemptEnded(e *eventlog.Event, t int64) {
	a := d.attempt(e.Attempt)
	if a == nil {
		d.strayProblems = append(d.strayProblems, Problem{d.id, OneEnd, string(e.Kind) + " of an attempt that never started", "attempt_started before it"})
		return
	}
	if a.ends++; a.ends > 1 {
		return
	}
	a.close(t)
	a.End, a.Limit, a.ErrorType, a.Outcome = e.Kind, e.Limit, e.ErrorType, e.Outcome
	if e.Status != 0 {
		a.Status = e.Status
	}
}

func (a *attempt) acquired(e *eventlog.Event, t int64) {
	if a.wait != nil {
		a.wait.close(t)
	}
	a.Conn, a.Reused = e.Conn, e.Reused
	if e.Conn != "" {
		a.conns = append(a.conns, e.Conn)
	}
}

func (d *builder) backoffStarted(e *eventlog.Event, t int64) {
	after := e.Attempt
	if last := d.attempt(0); after == 0 && last != nil {
		after = last.N
	}
	d.backoffs = append(d.backoffs, pause{interval: opened(t), after: after, planned: nanoseconds(e.PlannedMs)})
}

// backoffFinished: a pause that was cut short ends too, but was not slept out.
func (d *builder) backoffFinished(e *eventlog.Event, t int64) {
	if n := len(d.backoffs); n > 0 {
		b := &d.backoffs[n-1]
		b.close(t)
		b.sleptOut = e.Cause == "" && e.Error == ""
		if d.op.Client == "" { // how long another process sleeps is its own doing
			d.timersMs += max(0, millis(b.to-b.from-b.planned))
		}
	}
}

func (d *builder) cancelRequested(e *eventlog.Event, _ int64) {
	if e.Cause != eventlog.HardCap {
		first(&d.asked, e)
	}
}

func (d *builder) cancellationObserved(_ *eventlog.Event, t int64) {
	if !d.sawObserved {
		d.observed, d.sawObserved = t, true
	}
}

// cutOpen closes every wait on the path that ended it: what belongs to an
// attempt ends with the attempt, a backoff with what came next, all else with
// the operation.
func (d *builder) cutOpen() {
	for i := range d.attempts {
		a := &d.attempts[i]
		a.cut(d.end)
		for _, wait := range []*interval{a.wait, a.dns, a.dial, a.tls} {
			if wait != nil {
				wait.cut(a.to)
			}
		}
	}
	for i := range d.backoffs {
		d.backoffs[i].cut(d.nextAttempt(d.backoffs[i].from))
	}
	cutAll(d.waits, d.end)
	cutAll(d.slots, d.end)
}

func (d *builder) nextAttempt(t int64) int64 {
	for i := range d.attempts {
		if d.attempts[i].from > t {
			return d.attempts[i].from
		}
	}
	return d.end
}

func inAttemptStep(step func(a *attempt, e *eventlog.Event, t int64)) func(*builder, *eventlog.Event, int64) {
	return func(d *builder, e *eventlog.Event, t int64) {
		if a := d.attempt(e.Attempt); a != nil {
			step(a, e, t)
		}
	}
}

func first(moment **eventlog.Event, e *eventlog.Event) {
	if *moment == nil {
		kept := *e
		*moment = &kept
	}
}
