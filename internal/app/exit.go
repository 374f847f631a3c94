// Package app wires the parts into the jobs that the commands offer: run,
// demo, analyze, validate. It prints nothing by itself: every job gets its
// streams and returns an exit code.
package app

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
)

// Exit codes. 1 and 2 are never used on purpose: `go run` maps every failure
// to 1 and a panic is 2.
const (
	ExitOK           = 0
	ExitExpectation  = 10
	ExitRegression   = 11
	ExitInconclusive = 12
	ExitIncomplete   = 13
	ExitUsage        = 64
	ExitInternal     = 70
	ExitInterrupted  = 130
)

// precedence: the first of these that applies is the exit code.
var precedence = []int{ExitInternal, ExitInterrupted, ExitIncomplete, ExitUsage, ExitExpectation, ExitRegression, ExitInconclusive}

// Worst picks the code that outranks the others.
func Worst(codes ...int) int {
	for _, p := range precedence {
		if slices.Contains(codes, p) {
			return p
		}
	}
	return ExitOK
}

// meanings are one sentence on each exit code, for people who see only the number.
var meanings = map[int]string{
	ExitOK:           "nothing failed: every expectation held, or --on-inconclusive warn let a doubt pass",
	ExitExpectation:  "an expectation or requirement failed",
	ExitRegression:   "the comparison found a regression",
	ExitInconclusive: "inconclusive: too noisy, too few operations, or a fault is not proven to have fired",
	ExitIncomplete:   "the run is incomplete: labserver died or the run was aborted",
	ExitUsage:        "usage, scenario or file error",
	ExitInternal:     "internal error of the bench",
	ExitInterrupted:  "interrupted; what was measured is saved",
}

// ExitCodes lists the exit codes of bench, in ascending order.
func ExitCodes() []int { return slices.Sorted(maps.Keys(meanings)) }

// Meaning is one sentence on an exit code. The error is for one that bench never
// ends with.
func Meaning(code int) (string, error) {
	if meaning, ok := meanings[code]; ok {
		return meaning, nil
	}
	return "", Usagef("1 and 2 are go run's, make's or a crash's; a shell says 126 or 127 of what it cannot start, 128 + n of what signal n ended",
		"exit code %d is none of bench's; expected one of %s", code, strings.Trim(strings.ReplaceAll(fmt.Sprint(ExitCodes()), " ", ", "), "[]"))
}

// Error is a failure with its exit code and, if there is one, the next step.
type Error struct {
	Code int
	Hint string
	Err  error
}

func (e *Error) Error() string { return e.Err.Error() }
func (e *Error) Unwrap() error { return e.Err }

// Usagef is an Error of code 64: what was found and what was expected; hint
// says what to do.
func Usagef(hint, format string, args ...any) error {
	return &Error{Code: ExitUsage, Hint: hint, Err: fmt.Errorf(format, args...)}
}

// CodeOf is the exit code an error stands for: 70 for one that nobody
// classified.
func CodeOf(err error) int {
	if err == nil {
		return ExitOK
	}
	var e *Error
	if errors.As(err, &e) {
		return e.Code
	}
	return ExitInternal
}
