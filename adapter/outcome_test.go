package adapter_test

import (
	"compress/gzip"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/url"
	"os"
	"syscall"
	"testing"

	"github.com/deadlinelab/deadlinelab/adapter"
)

func TestOutcomeOf(t *testing.T) {
	get := func(err error) error { return &url.Error{Op: "Get", URL: "http://x/", Err: err} }
	dial := func(err error) error { return &net.OpError{Op: "dial", Net: "tcp", Err: err} }
	for _, c := range []struct {
		err                error
		outcome, errorType string
	}{
		{nil, "success", ""},
		{context.Canceled, "cancelled", "context.Canceled"},
		{adapter.ErrCancelled, "cancelled", "context.Canceled"},
		{adapter.ErrDeadline, "deadline_exceeded", "context.DeadlineExceeded"},
		{fmt.Errorf("giving up: %w", context.DeadlineExceeded), "deadline_exceeded", "*fmt.wrapError: context.DeadlineExceeded"},
		{get(adapter.ErrCallerDeadline), "deadline_exceeded", "*url.Error: context.DeadlineExceeded"},
		{get(&adapter.LimitError{Limit: "total_ms"}), "attempt_timeout", "*url.Error: context.DeadlineExceeded"},
		{get(&adapter.LimitError{Limit: "connect_ms"}), "connect_timeout", "*url.Error: context.DeadlineExceeded"},
		{&net.OpError{Op: "read", Err: os.ErrDeadlineExceeded}, "attempt_timeout", "*net.OpError: timeout"},
		{slow{errors.New("x")}, "attempt_timeout", "adapter_test.slow: timeout"},
		{get(dial(os.ErrDeadlineExceeded)), "connect_timeout", "*url.Error: timeout"},
		{get(dial(os.NewSyscallError("connect", syscall.ECONNREFUSED))), "connect_error", "*url.Error: syscall.Errno"},
		{get(&net.DNSError{Err: "no such host", IsNotFound: true}), "connect_error", "*url.Error: *net.DNSError"},
		{gzip.ErrHeader, "invalid_data", "*errors.errorString"},
		{io.ErrUnexpectedEOF, "transport_error", "*errors.errorString"},
		{errors.Join(errors.New("x"), context.Canceled), "cancelled", "*errors.joinError: context.Canceled"},
	} {
		if got := adapter.OutcomeOf(c.err); got != c.outcome {
			t.Errorf("OutcomeOf(%v) = %s, expected %s", c.err, got, c.outcome)
		}
		if got := adapter.ErrorType(c.err); got != c.errorType {
			t.Errorf("ErrorType(%v) = %s, expected %s", c.err, got, c.errorType)
		}
	}
}

// slow is a timeout that is no net.Error, as some libraries have it.
type slow struct{ error }

func (slow) Timeout() bool { return true }
