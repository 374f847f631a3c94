package scenario

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
)

// Error is one problem in a file: where it is, what was found there, what was
// expected, and what to do next.
type Error struct {
	File string
	Position
	Key   string // path of the key, "operation.budget_ms"; empty for the file as a whole
	Found string
	Want  string
	Next  string
}

func (e *Error) Error() string {
	where := fmt.Sprintf("%s:%d:%d: ", e.File, e.Line, e.Column)
	if e.Key != "" {
		where += e.Key + ": "
	}
	return where + "found " + e.Found + ", expected " + e.Want + "; " + e.Next
}

// Errors is every problem of one file, in the order of their places.
type Errors []*Error

// mostSaid is how many problems a text names: nobody reads more at once, and a
// file of nothing but mistakes must not become a text many times its size.
const mostSaid = 50

func (es Errors) Error() string {
	var lines []string
	for _, e := range es[:min(len(es), mostSaid)] {
		lines = append(lines, e.Error())
	}
	if more := len(es) - mostSaid; more > 0 {
		lines = append(lines, fmt.Sprintf("%s: and %d more problems", es[0].File, more))
	}
	return strings.Join(lines, "\n")
}

// Unwrap gives errors.Is and errors.As the single problems.
func (es Errors) Unwrap() []error {
	all := make([]error, len(es))
	for i, e := range es {
		all[i] = e
	}
	return all
}

// asError sorts by position; problems at one place keep the order in which
// they were found.
func (es Errors) asError() error {
	if len(es) == 0 {
		return nil
	}
	slices.SortStableFunc(es, func(a, b *Error) int {
		return cmp.Or(cmp.Compare(a.Position.Line, b.Position.Line), cmp.Compare(a.Position.Column, b.Position.Column))
	})
	return es
}
