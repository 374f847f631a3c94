// Package report writes a judged run in the formats that people and machines read,
// one file for each. It judges and measures nothing.
package report

import (
	"bytes"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"

	"github.com/deadlinelab/deadlinelab/internal/view"
)

// Format writes a report to a buffer.
type Format func(b *bytes.Buffer, in view.Input) error

var formats = map[string]Format{}

// Register adds an output format; a duplicate name panics.
func Register(name string, f Format) {
	if _, dup := formats[name]; dup {
		panic("report: format " + name + " registered twice")
	}
	formats[name] = f
}

// Formats lists the registered formats in order.
func Formats() []string { return slices.Sorted(maps.Keys(formats)) }

// Known tells whether a format of that name is registered.
func Known(format string) bool {
	_, ok := formats[format]
	return ok
}

// Write writes a report in the named format. Nothing is written unless the
// whole report could be made.
func Write(format string, w io.Writer, in view.Input) error {
	f, ok := formats[format]
	if !ok {
		return fmt.Errorf("format %q: expected one of %s", format, strings.Join(Formats(), ", "))
	}
	var b bytes.Buffer
	if err := f(&b, in); err != nil {
		return fmt.Errorf("report as %s: %w", format, err)
	}
	if _, err := b.WriteTo(w); err != nil {
		return fmt.Errorf("report as %s: %w", format, err)
	}
	return nil
}
