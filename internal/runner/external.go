package runner

import (
	"context"
	"fmt"
	"net/http"
	"sync"
	"sync/atomic"
	"time"

	"github.com/deadlinelab/deadlinelab/internal/clock"
	"github.com/deadlinelab/deadlinelab/internal/eventlog"
	"github.com/deadlinelab/deadlinelab/internal/variants"
)

// leftBehindAfter is how long after the hard cap an operation of a client in a
// process of its own is waited for. The client is given abandonAfter, and who
// makes its calls tells when that has passed: this is for one that does not.
const leftBehindAfter = abandonAfter + 500*time.Millisecond

// externalOperation is one call by a caller through a client in a process of its
// own. Its times are the client's: t0 is when that says that the call began.
type externalOperation struct {
	*underway
	caller variants.Caller
	call   variants.Call
	asked  time.Time // when its client was asked

	attemptFrom time.Time // its latest attempt began

	begins sync.Once
	closes sync.Once
	end    atomic.Pointer[eventlog.Event] // how it ended; nil = it has not, or the run was given up
}

// perform makes the call. The hard cap counts from t0, and until that is known
// from when the client was asked.
func (o *externalOperation) perform(ctx context.Context) {
	ctx = o.performable(ctx)
	defer o.cancel(nil)
	o.asked = time.Now()
	o.prepareCall()
	go o.make(ctx)
	timer := time.NewTimer(o.hardCap())
	defer timer.Stop()
	select {
	case <-o.begun:
		timer.Reset(time.Until(o.t0.Add(o.hardCap())))
	case <-o.ended:
	case <-ctx.Done():
	case <-timer.C:
		timer.Reset(0)
	}
	o.awaitEnd(ctx, timer)
	o.giveUp(ctx)
}

func (o *externalOperation) make(ctx context.Context) {
	ending := o.caller.Call(ctx, &o.call)
	o.begin(time.Now())
	o.conclude(ctx, ending)
}

// giveUp ends by force an operation that has to end now, and leaves it behind
// if it does not.
func (o *externalOperation) giveUp(ctx context.Context) {
	select {
	case <-o.ended:
		return
	default:
	}
	if o.stopped.Load() { // its context has ended with the caller's cancel: nothing else reaches the call
		o.caller.Forget(o.call.Client)
	}
	timer := time.NewTimer(leftBehindAfter)
	defer timer.Stop()
	select {
	case <-o.ended:
	case <-timer.C:
		o.begin(o.asked)
		o.conclude(ctx, variants.Ending{Outcome: eventlog.CapReached, Error: errAbandoned.Err.Error()})
	}
}

// prepareCall makes of the operation what its client is asked for.
func (o *externalOperation) prepareCall() {
	c := &o.call
	c.URL, c.Marker, c.Policy, c.Method = o.target, o.marker, o.policy, http.MethodGet
	c.Began, c.Heard = o.begin, o.heard
	if o.ask == nil {
		return
	}
	if o.ask.Method != "" {
		c.Method = o.ask.Method
	}
	c.BodyBytes = o.ask.BodyBytes
	if o.ask.IdempotencyKey {
		c.IdempotencyKey = o.journal.Op
	}
	if v := o.ask.CallerDeadlineMs; v != nil {
		within := clock.FromMs(*v)
		c.CallerDeadline = &within
	}
}

// begin takes t0, once.
func (o *externalOperation) begin(t0 time.Time) {
	o.begins.Do(func() {
		o.t0 = t0
		e := o.started()
		e.AtNs = o.clock.Ns(t0)
		if e.Start.Client == eventlog.AdapterClient { // a process has to be started first, and that is measured
			e.LateMs = max(0, clock.InMs(t0.Sub(o.asked)))
		}
		o.journal.Add(e)
		close(o.begun)
	})
}

// heard takes one event that the client reports.
func (o *externalOperation) heard(e eventlog.Event) {
	if !reportable[e.Kind] {
		return
	}
	e.Exp, e.Exchange, e.Start, e.Leaks, e.Header = "", 0, nil, nil, nil
	at := time.Now()
	if e.AtNs != 0 {
		at = o.clock.At(e.AtNs)
	}
	o.unnamed(&e, at)
	if e.Kind == eventlog.AttemptStarted || e.Kind == eventlog.BackoffStarted {
		e.RemainingMs = clock.InMs(o.deadline().Sub(at))
	}
	o.journal.Add(e)
}

// reportable are the events that a client tells of itself.
var reportable = map[eventlog.Kind]bool{
	eventlog.AdmissionWaitStarted: true, eventlog.AdmissionAcquired: true, eventlog.AdmissionReleased: true,
	eventlog.AttemptStarted: true, eventlog.ConnectionWaitStarted: true, eventlog.ConnectionAcquired: true,
	eventlog.DNSStarted: true, eventlog.DNSFinished: true, eventlog.ConnectStarted: true, eventlog.ConnectFinished: true,
	eventlog.TLSStarted: true, eventlog.TLSFinished: true, eventlog.RequestWritten: true, eventlog.HeadersReceived: true, eventlog.BodyFinished: true,
	eventlog.AttemptFinished: true, eventlog.AttemptTimedOut: true, eventlog.AttemptCancelled: true, eventlog.AttemptFailed: true,
	eventlog.BackoffStarted: true, eventlog.BackoffFinished: true, eventlog.DeadlineFired: true, eventlog.CancellationObserved: true,
}

// conclude records how the operation ended, once. One that ends because the run
// was given up has no end in the log: it was not measured.
func (o *externalOperation) conclude(ctx context.Context, ending variants.Ending) {
	o.closes.Do(func() {
		defer close(o.ended)
		if o.givenUp(ctx) {
			o.journal.Abandon()
			return
		}
		e := o.finished(ending)
		o.end.Store(&e)
		o.journal.Finish(e)
	})
}

func (o *externalOperation) finished(ending variants.Ending) eventlog.Event {
	e := eventlog.Event{Kind: eventlog.OperationFinished, Outcome: ending.Outcome, Last: ending.Last, Status: ending.Status, Bytes: ending.Bytes,
		LateMs: clock.InMs(ending.Queued), ErrorType: ending.ErrorType, Error: ending.Error}
	if !ending.At.IsZero() {
		e.AtNs = o.clock.Ns(ending.At)
	}
	if !e.Outcome.Known() && ending.Broken == "" {
		ending.Broken = fmt.Sprintf("it ended with the outcome %q, which is none", e.Outcome)
	}
	if ending.Broken != "" {
		e.Outcome, e.Last, e.Error = eventlog.ClientError, "", ending.Broken
	}
	switch {
	case o.capped.Load() && e.Outcome != eventlog.CapReached: // that it did not end is what was measured
		e.Outcome, e.Last = eventlog.CapReached, e.Outcome
	case ending.Broken != "" && !o.capped.Load():
		e.Cause = eventlog.ClientBroke
	}
	return e
}
