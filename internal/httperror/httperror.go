// Package httperror reads the errors of net/http and of what is built on it, by
// their types alone. It imports only the standard library.
package httperror

import (
	"errors"
	"fmt"
	"net"
	"slices"
	"syscall"
)

// Holds tells whether target itself is in the tree of err. errors.Is also
// finds it in net/http's own timeouts, which only claim to be it.
func Holds(err, target error) bool {
	switch e := err.(type) {
	case interface{ Unwrap() error }:
		return Holds(e.Unwrap(), target)
	case interface{ Unwrap() []error }:
		return slices.ContainsFunc(e.Unwrap(), func(err error) bool { return Holds(err, target) })
	}
	return err == target
}

// FailedToConnect tells a dial or lookup that failed from a connection that
// broke later.
func FailedToConnect(err error) bool {
	var op *net.OpError
	var dns *net.DNSError
	return errors.As(err, &op) && op.Op == "dial" || errors.As(err, &dns) ||
		errors.Is(err, syscall.ECONNREFUSED) || errors.Is(err, syscall.EHOSTUNREACH) || errors.Is(err, syscall.ENETUNREACH)
}

// Innermost is the name of the innermost Go type of err that says more than a
// text; of several joined errors that of the join. "<nil>" without an error.
func Innermost(err error) string {
	name := fmt.Sprintf("%T", err)
	for inner := errors.Unwrap(err); inner != nil; inner = errors.Unwrap(inner) {
		switch t := fmt.Sprintf("%T", inner); t {
		case "*errors.errorString", "*fmt.wrapError", "*fmt.wrapErrors":
		default:
			name = t
		}
	}
	return name
}
