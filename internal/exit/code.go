// Package exit has the exit codes of bench, what each means, and errors that carry
// one.
package exit

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
	OK           = 0
	Expectation  = 10
	Regression   = 11
	Inconclusive = 12
	Incomplete   = 13
	Usage        = 64
	Internal     = 70
	Interrupted  = 130
)

// precedence: the first of these that applies is the exit code.
var precedence = []int{Internal, Interrupted, Incomplete, Usage, Expectation, Regression, Inconclusive}

// Worst picks the code that outranks the others.
func Worst(codes ...int) int {
	for _, p := range precedence {
		if slices.Contains(codes, p) {
			return p
		}
	}
	return OK
}

// meanings are one sentence on each exit code, for people who see only the number.
var meanings = map[int]string{
	OK:           "nothing failed: every expectation held, or --on-inconclusive warn let a doubt pass",
	Expectation:  "an expectation or requirement failed",
	Regression:   "the comparison found a regression",
	Inconclusive: "inconclusive: too noisy, too few operations, or a fault is not proven to have fired",
	Incomplete:   "the run is incomplete: labserver died or the run was aborted",
	Usage:        "usage, scenario or file error",
	Internal:     "internal error of the bench",
	Interrupted:  "interrupted; what was measured is saved",
}

// Codes lists the exit codes of bench, in ascending order.
func Codes() []int { return slices.Sorted(maps.Keys(meanings)) }

// Meaning is one sentence on an exit code. The error is for one that bench never
// ends with.
func Meaning(code int) (string, error) {
	if meaning, ok := meanings[code]; ok {
		return meaning, nil
	}
	return "", Usagef("1 and 2 are go run's, make's or a crash's; a shell says 126 or 127 of what it cannot start, 128 + n of what signal n ended",
		"exit code %d is none of bench's; expected one of %s", code, strings.Trim(strings.ReplaceAll(fmt.Sprint(Codes()), " ", ", "), "[]"))
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
	return &Error{Code: Usage, Hint: hint, Err: fmt.Errorf(format, args...)}
}

// CodeOf is the exit code an error stands for: 70 for one that nobody
// classified.
func CodeOf(err error) int {
	if err == nil {
		return OK
	}
	var e *Error
	if errors.As(err, &e) {
		return e.Code
	}
	return Internal
}

// WriteError is a file of the run directory that could not be written.
func WriteError(err error) error {
	return &Error{Code: Incomplete, Err: err, Hint: "is the disk full, or the directory not writable?"}
}

// FullDisk is the hint behind a write that failed.
const FullDisk = "is the disk full that it goes to?"
