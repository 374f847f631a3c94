package variants

import (
	"context"
	"fmt"
	"net/http/httptrace"
	"time"
)

// Phases in which a budgeted operation can end, in the order of its life.
const (
	phaseSlot int32 = iota
	phaseConnection
	phaseRequest
	phaseHead
	phaseBody
	phasePause
)

var phaseNames = [...]string{"waiting for a slot", "waiting for a connection", "sending the request", "waiting for the response head",
	"reading the body", "pausing"}

func (s *spending) enter(phase int32) { s.phase.Store(phase) }

// traced follows an attempt through its phases.
func (s *spending) traced(ctx context.Context) context.Context {
	return httptrace.WithClientTrace(ctx, &httptrace.ClientTrace{
		GetConn: func(string) { s.enter(phaseConnection) },
		GotConn: func(httptrace.GotConnInfo) { s.enter(phaseRequest) },
		// Called by the writing goroutine: the answer may have come before it.
		WroteRequest: func(httptrace.WroteRequestInfo) { s.phase.CompareAndSwap(phaseRequest, phaseHead) },
	})
}

// BudgetError says how a budgeted operation ended: where it was, after how
// many attempts, how much of its time was left, and why it made no more.
type BudgetError struct {
	Phase    string
	Attempts int
	Left     time.Duration // below 0 if the deadline's timer was late
	Why      string        // empty where Err says it all
	Err      error
}

func (e *BudgetError) Error() string {
	text := fmt.Sprintf("%s, attempts %d, left %s: %v", e.Phase, e.Attempts, e.Left.Round(time.Millisecond), e.Err)
	if e.Why != "" {
		text += "; " + e.Why
	}
	return text
}

func (e *BudgetError) Unwrap() error { return e.Err }

// explain adds to a failure what the caller needs to judge it; the outcome stays.
func (s *spending) explain(err error) error {
	if err == nil {
		return nil
	}
	outcome, last := OutcomeOf(err)
	return &Error{Outcome: outcome, Last: last,
		Err: &BudgetError{Phase: phaseNames[s.phase.Load()], Attempts: s.attempts, Left: s.left(), Why: s.why, Err: err}}
}
