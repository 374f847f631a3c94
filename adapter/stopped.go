package adapter

import "context"

// Causes for which the context of a call ends, by context.Cause. The first two
// are also context.Canceled, the last two context.DeadlineExceeded, to
// errors.Is and to whoever asks an error whether it is a timeout.
var (
	ErrCancelled      error = &stopped{"cancelled by the caller", context.Canceled}
	ErrShutdown       error = &stopped{"the bench ends", context.Canceled}
	ErrDeadline       error = &stopped{"deadline of the operation", context.DeadlineExceeded}
	ErrCallerDeadline error = &stopped{"deadline of the caller", context.DeadlineExceeded}
)

type stopped struct {
	text string
	is   error
}

func (s *stopped) Error() string   { return s.text }
func (s *stopped) Unwrap() error   { return s.is }
func (s *stopped) Timeout() bool   { return s.is == context.DeadlineExceeded }
func (s *stopped) Temporary() bool { return s.Timeout() }

// stopCause is what ended ctx if it was more than a limit of one attempt or
// the client's own clean-up; nil otherwise.
func stopCause(ctx context.Context) error {
	if cause, ok := context.Cause(ctx).(*stopped); ok {
		return cause
	}
	return nil
}

// LimitError is a limit of one attempt that has acted: the cause to end its
// context with. To errors.Is it is context.DeadlineExceeded.
type LimitError struct {
	Limit string // total_ms, connect_ms, sock_connect_ms or sock_read_ms
}

func (e *LimitError) Error() string   { return "limit " + e.Limit + " of the attempt" }
func (e *LimitError) Unwrap() error   { return context.DeadlineExceeded }
func (e *LimitError) Timeout() bool   { return true }
func (e *LimitError) Temporary() bool { return true }
