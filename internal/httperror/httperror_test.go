package httperror_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/url"
	"os"
	"syscall"
	"testing"

	"github.com/deadlinelab/deadlinelab/internal/httperror"
)

// claims says of itself to be the end of a context, as the timeouts of net/http do.
type claims struct{}

func (claims) Error() string        { return "claims" }
func (claims) Is(target error) bool { return target == context.DeadlineExceeded }

func get(err error) error { return &url.Error{Op: "Get", URL: "http://x/", Err: err} }

func dial(err error) error { return &net.OpError{Op: "dial", Net: "tcp", Err: err} }

func TestHolds(t *testing.T) {
	for _, c := range []struct {
		err  error
		want bool
	}{
		{context.DeadlineExceeded, true},
		{get(fmt.Errorf("giving up: %w", context.DeadlineExceeded)), true},
		{errors.Join(io.EOF, get(context.DeadlineExceeded)), true},
		{get(claims{}), false},
		{errors.Join(io.EOF, claims{}), false},
		{nil, false},
	} {
		if got := httperror.Holds(c.err, context.DeadlineExceeded); got != c.want {
			t.Errorf("Holds(%v) = %v", c.err, got)
		}
	}
	if !errors.Is(get(claims{}), context.DeadlineExceeded) {
		t.Error("errors.Is tells them apart as well: nothing needs Holds")
	}
}

func TestFailedToConnect(t *testing.T) {
	for _, c := range []struct {
		err  error
		want bool
	}{
		{get(dial(os.ErrDeadlineExceeded)), true},
		{get(&net.DNSError{Err: "no such host"}), true},
		{os.NewSyscallError("connect", syscall.ECONNREFUSED), true},
		{get(&net.OpError{Op: "read", Net: "tcp", Err: os.NewSyscallError("read", syscall.ECONNRESET)}), false},
		{io.ErrUnexpectedEOF, false},
		{nil, false},
	} {
		if got := httperror.FailedToConnect(c.err); got != c.want {
			t.Errorf("FailedToConnect(%v) = %v", c.err, got)
		}
	}
}

func TestInnermost(t *testing.T) {
	for _, c := range []struct {
		err  error
		want string
	}{
		{io.EOF, "*errors.errorString"},
		{fmt.Errorf("while reading: %w", io.EOF), "*fmt.wrapError"},
		{get(fmt.Errorf("while reading: %w", io.EOF)), "*url.Error"},
		{get(dial(os.NewSyscallError("connect", syscall.ECONNREFUSED))), "syscall.Errno"},
		{errors.Join(io.EOF, get(io.EOF)), "*errors.joinError"},
		{nil, "<nil>"},
	} {
		if got := httperror.Innermost(c.err); got != c.want {
			t.Errorf("Innermost(%v) = %s, want %s", c.err, got, c.want)
		}
	}
}
