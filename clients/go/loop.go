package main

import (
	"context"
	"slices"
	"time"

	"github.com/deadlinelab/deadlinelab/adapter"
)

// admitted calls one under the deadline taken at the call, with a slot: the
// wait for the slot counts, and so does everything after it.
func admitted(ctx context.Context, s *adapter.Session, one func(context.Context) adapter.Result) adapter.Result {
	ctx, cancel := s.WithDeadline(ctx)
	defer cancel()
	if err := s.Acquire(ctx); err != nil {
		return adapter.Result{Err: err}
	}
	defer s.Release()
	return stoppedBy(ctx, s, one(ctx))
}

// stoppedBy is r as the end of ctx explains it: whatever error a library makes
// of a deadline or a cancel that reached it, that is what ended the call. The
// error stays the library's own.
func stoppedBy(ctx context.Context, s *adapter.Session, r adapter.Result) adapter.Result {
	if outcome(r) == adapter.Success {
		return adapter.Result{Status: r.Status, Body: r.Body, Err: overdue(ctx, s)}
	}
	if cause := context.Cause(ctx); cause != nil && r.Outcome != adapter.ClientError {
		r.Outcome, r.Last = adapter.OutcomeOf(cause), ""
	}
	return r
}

// underDeadline is a client as it was, with two things around each call: the
// deadline taken at the call, in the context that the library is handed, and a slot.
func underDeadline(build func(adapter.Operation) adapter.Client) func(adapter.Operation) adapter.Client {
	return func(first adapter.Operation) adapter.Client { return &deadlined{build(first)} }
}

type deadlined struct{ adapter.Client }

func (c *deadlined) Call(ctx context.Context, op adapter.Operation, s *adapter.Session) adapter.Result {
	op.BudgetMs *= 2 // the library's own timeout: not at the instant of the deadline, which is to be what ends the call
	return admitted(ctx, s, func(ctx context.Context) adapter.Result { return c.Client.Call(ctx, op, s) })
}

// retrying makes attempts until one succeeds, one fails for good, the policy
// allows no more, or ctx ends. It looks at the deadline before each attempt;
// there is no pause after the last one.
func retrying(ctx context.Context, s *adapter.Session, op adapter.Operation, attempt func(context.Context) adapter.Result) adapter.Result {
	for n := 1; ; n++ {
		if err := overdue(ctx, s); err != nil {
			return adapter.Result{Err: err}
		}
		r := attempt(ctx)
		if outcome(r) == adapter.Success {
			return r
		}
		if n >= op.Policy.MaxAttempts || !retryable(op.Policy, r) {
			return concluded(op, n, r)
		}
		if err := s.Pause(ctx, pauseAfter(op, n)); err != nil {
			return adapter.Result{Status: r.Status, Err: err}
		}
	}
}

// within is one attempt under the limit total_ms, its body included.
func within(ctx context.Context, op adapter.Operation, attempt func(context.Context) adapter.Result) adapter.Result {
	if op.Attempt.TotalMs != nil {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeoutCause(ctx, adapter.Ms(*op.Attempt.TotalMs), &adapter.LimitError{Limit: "total_ms"})
		defer cancel()
	}
	return attempt(ctx)
}

// overdue tells whether ctx has ended or should have: a deadline that has
// passed counts even if its timer has not been delivered yet.
func overdue(ctx context.Context, s *adapter.Session) error {
	if err := s.Observed(ctx); err != nil {
		return err
	}
	if at, ok := ctx.Deadline(); ok && !time.Now().Before(at) {
		return adapter.ErrDeadline
	}
	return nil
}

// outcome of one attempt.
func outcome(r adapter.Result) string {
	switch {
	case r.Outcome != "":
		return r.Outcome
	case r.Err != nil:
		return adapter.OutcomeOf(r.Err)
	case r.Status >= 200 && r.Status <= 299:
		return adapter.Success
	}
	return adapter.UnexpectedStatus
}

func retryable(p adapter.Policy, r adapter.Result) bool {
	if o := outcome(r); o != adapter.UnexpectedStatus {
		return slices.Contains(p.RetryableFailures, o)
	}
	return slices.Contains(p.RetryableStatuses, r.Status)
}

// concluded is the result of a call whose last attempt ended with r: the
// failure itself, or retries_exhausted after as many attempts as are allowed,
// if they were several and the caller or a deadline has not ended them.
func concluded(op adapter.Operation, attempts int, r adapter.Result) adapter.Result {
	o := outcome(r)
	ended := o == adapter.Success || o == adapter.Cancelled || o == adapter.DeadlineExceeded || o == adapter.RetriesExhausted
	if !ended && op.Policy.MaxAttempts > 1 && attempts >= op.Policy.MaxAttempts {
		r.Outcome, r.Last = adapter.RetriesExhausted, o
	}
	return r
}
