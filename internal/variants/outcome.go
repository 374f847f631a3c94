package variants

import (
	"context"
	"errors"
	"fmt"
	"net"

	"github.com/deadlinelab/deadlinelab/internal/eventlog"
	"github.com/deadlinelab/deadlinelab/internal/httperror"
)

// StatusError is an answer that is not a 2xx.
type StatusError struct {
	Status     int
	RetryAfter string // the header as it was sent; empty = none
}

func (e *StatusError) Error() string { return fmt.Sprintf("status %d", e.Status) }

func statusOf(err error) int {
	var status *StatusError
	if errors.As(err, &status) {
		return status.Status
	}
	return 0
}

// Stopped says why ctx ended, by its cause. What the caller did reaches the
// caller as context.Canceled, a limit in time as context.DeadlineExceeded. It
// is nil while ctx has not ended.
func Stopped(ctx context.Context) error {
	if ctx.Err() == nil {
		return nil
	}
	return stoppedBy(context.Cause(ctx))
}

func stoppedBy(cause error) error {
	outcome, identity := eventlog.Cancelled, context.Canceled
	var limit *LimitError
	switch {
	case errors.As(cause, &limit):
		return &Error{Outcome: limit.Outcome(), Err: limit}
	case errors.Is(cause, ErrAttemptTimeout):
		outcome, identity = eventlog.AttemptTimeout, context.DeadlineExceeded
	case errors.Is(cause, ErrOperationDeadline), errors.Is(cause, ErrCallerDeadline), errors.Is(cause, context.DeadlineExceeded):
		outcome, identity = eventlog.DeadlineExceeded, context.DeadlineExceeded
	case errors.Is(cause, ErrCap):
		outcome = eventlog.CapReached
	}
	return &Error{Outcome: outcome, Err: &StopError{Cause: cause, identity: identity}}
}

// StopError is an end from outside the HTTP layer: errors.Is finds its cause,
// and context.Canceled or context.DeadlineExceeded.
type StopError struct {
	Cause    error
	identity error
}

func (e *StopError) Error() string   { return e.Cause.Error() }
func (e *StopError) Unwrap() []error { return []error{e.Cause, e.identity} }

// failure is what ended an attempt: a limit of the transport, the end of the
// attempt's context, or the error itself.
func failure(ctx context.Context, err error) error {
	var limit *LimitError
	if errors.As(err, &limit) {
		return &Error{Outcome: limit.Outcome(), Err: err}
	}
	if ctx.Err() != nil {
		return Stopped(ctx)
	}
	outcome, _ := OutcomeOf(err)
	var own *Error
	if timedOut(err) && !errors.As(err, &own) {
		outcome = timeoutOf(err) // of a client or transport: no context of ours has ended
	}
	return &Error{Outcome: outcome, Err: err}
}

// OutcomeOf classifies what a variant returned, by types and causes alone:
// the outcome, and the last failure beside retries_exhausted. An error that is
// nothing more specific came out of the HTTP layer: transport_error.
func OutcomeOf(err error) (outcome, last eventlog.Outcome) {
	var own *Error
	var limit *LimitError
	var status *StatusError
	switch {
	case err == nil:
		return eventlog.Success, ""
	case errors.As(err, &own):
		return own.Outcome, own.Last
	case errors.As(err, &limit):
		return limit.Outcome(), ""
	case errors.As(err, &status):
		return eventlog.UnexpectedStatus, ""
	}
	if outcome, ok := outcomeOfStop(err); ok {
		return outcome, ""
	}
	if timedOut(err) {
		return timeoutOf(err), ""
	}
	if httperror.FailedToConnect(err) {
		return eventlog.ConnectError, ""
	}
	return eventlog.TransportError, ""
}

func outcomeOfStop(err error) (eventlog.Outcome, bool) {
	for _, stop := range []struct {
		cause   error
		outcome eventlog.Outcome
	}{
		{ErrAttemptTimeout, eventlog.AttemptTimeout},
		{ErrOperationDeadline, eventlog.DeadlineExceeded},
		{ErrCallerDeadline, eventlog.DeadlineExceeded},
		{ErrCap, eventlog.CapReached},
		{ErrCancelled, eventlog.Cancelled},
		{context.Canceled, eventlog.Cancelled},
	} {
		if errors.Is(err, stop.cause) {
			return stop.outcome, true
		}
	}
	return eventlog.DeadlineExceeded, httperror.Holds(err, context.DeadlineExceeded)
}

// timedOut tells whether a timer below the operation ended it: one of
// http.Client, http.Transport or a net.Dialer. Each acts within one attempt.
func timedOut(err error) bool {
	var timeout net.Error
	return errors.As(err, &timeout) && timeout.Timeout()
}

func timeoutOf(err error) eventlog.Outcome {
	if httperror.FailedToConnect(err) {
		return eventlog.ConnectTimeout
	}
	return eventlog.AttemptTimeout
}
