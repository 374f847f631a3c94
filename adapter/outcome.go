package adapter

import (
	"compress/flate"
	"compress/gzip"
	"context"
	"errors"
	"fmt"

	"github.com/deadlinelab/deadlinelab/internal/httperror"
)

// Outcomes is the closed list that a client can report.
var Outcomes = []string{Success, DeadlineExceeded, AttemptTimeout, ConnectTimeout, RetriesExhausted, UnexpectedStatus,
	Cancelled, ConnectError, TransportError, InvalidData, Refused, ClientError}

// OutcomeOf classifies what came out of net/http, or a library on top of it, by
// types and causes alone: success without an error, cancelled,
// deadline_exceeded for the end of a context, attempt_timeout for a timer of
// http.Client or http.Transport, connect_timeout and connect_error for a dial
// or lookup, invalid_data for a body that is not the gzip it claims to be, and
// transport_error for the rest.
func OutcomeOf(err error) string {
	var limit *LimitError
	switch {
	case err == nil:
		return Success
	case errors.As(err, &limit):
		return limit.outcome()
	case errors.Is(err, context.Canceled):
		return Cancelled
	case httperror.Holds(err, context.DeadlineExceeded):
		return DeadlineExceeded
	case undecodable(err):
		return InvalidData
	case timedOut(err) && httperror.FailedToConnect(err):
		return ConnectTimeout
	case timedOut(err):
		return AttemptTimeout
	case httperror.FailedToConnect(err):
		return ConnectError
	}
	return TransportError
}

func (e *LimitError) outcome() string {
	if e.Limit == "connect_ms" || e.Limit == "sock_connect_ms" {
		return ConnectTimeout
	}
	return AttemptTimeout
}

func undecodable(err error) bool {
	var corrupt flate.CorruptInputError
	return errors.Is(err, gzip.ErrHeader) || errors.Is(err, gzip.ErrChecksum) || errors.As(err, &corrupt)
}

func timedOut(err error) bool {
	var timeout interface{ Timeout() bool }
	return errors.As(err, &timeout) && timeout.Timeout()
}

// ErrorType says what a caller can do with err: its Go type, and which of
// context.Canceled, context.DeadlineExceeded and "timeout" (by its method
// Timeout) it turns out to be, else the innermost type that says more than a
// text: "*url.Error: context.DeadlineExceeded".
func ErrorType(err error) string {
	if err == nil {
		return ""
	}
	switch e := err.(type) {
	case *stopped: // a call's own wait returns the cause, where others return what it is
		return identity(e)
	case *LimitError:
		return identity(e)
	}
	outer := fmt.Sprintf("%T", err)
	inner := identity(err)
	if err == context.Canceled || err == context.DeadlineExceeded || inner == outer {
		return inner
	}
	return outer + ": " + inner
}

// identity is what a caller finds in err.
func identity(err error) string {
	switch {
	case errors.Is(err, context.Canceled):
		return "context.Canceled"
	case errors.Is(err, context.DeadlineExceeded):
		return "context.DeadlineExceeded"
	case timedOut(err):
		return "timeout"
	}
	return httperror.Innermost(err)
}
