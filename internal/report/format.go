package report

import (
	"bytes"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"

	"github.com/deadlinelab/deadlinelab/internal/rundir"
	"github.com/deadlinelab/deadlinelab/internal/scenario"
	"github.com/deadlinelab/deadlinelab/internal/timeline"
)

// Input is what a format may use. Only the summary is always there.
type Input struct {
	Summary    *Summary
	Run        *rundir.Run // facts of the run; nil = unknown
	Scenarios  []*scenario.Scenario
	Operations []*timeline.Operation
	// VariantSummaries say in one line what a variant does, by name; may be nil.
	VariantSummaries map[string]string
	// VariantFiles are the source files of variants, by name; may be nil.
	VariantFiles map[string]string

	Program string // how bench was called, for commands to copy; "" = bench
	Width   int    // columns; 0 = 100
	ASCII   bool   // no character beyond ASCII
	Colour  bool   // ANSI colours, where the format has any
}

// Format writes a report to a buffer.
type Format func(b *bytes.Buffer, in Input) error

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
func Write(format string, w io.Writer, in Input) error {
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

// scenarioNamed finds a scenario's file, nil if the input has none.
func (in Input) scenarioNamed(name string) *scenario.Scenario {
	for _, s := range in.Scenarios {
		if s.Name == name {
			return s
		}
	}
	return nil
}

// group is the series of one scenario.
type group struct {
	name   string
	series []Series
}

// groups keeps the order of the summary.
func (s *Summary) groups() []group {
	var list []group
	place := map[string]int{}
	for _, one := range s.Series {
		i, known := place[one.Scenario]
		if !known {
			i = len(list)
			place[one.Scenario] = i
			list = append(list, group{name: one.Scenario})
		}
		list[i].series = append(list[i].series, one)
	}
	return list
}

// finding is a check that did not pass, with the series it belongs to.
type finding struct {
	series Series
	check  Check
}

// findings lists failures first, then what is inconclusive.
func (s *Summary) findings() []finding {
	var list []finding
	for _, v := range []Verdict{Fail, Inconclusive} {
		for _, one := range s.Series {
			for _, c := range one.Checks {
				if c.Verdict == v {
					list = append(list, finding{one, c})
				}
			}
		}
	}
	return list
}

// tally is "66 series: 64 pass, 2 fail".
func (c Counts) tally() string {
	var parts []string
	add := func(n int, v Verdict) {
		if n > 0 {
			parts = append(parts, fmt.Sprintf("%d %s", n, v))
		}
	}
	add(c.Pass, Pass)
	add(c.Fail, Fail)
	add(c.Inconclusive, Inconclusive)
	add(c.Unjudged, Unjudged)
	add(c.NotApplicable, "not applicable")
	if len(parts) == 0 {
		return "no series"
	}
	return fmt.Sprintf("%d series: %s", c.Series, strings.Join(parts, ", "))
}
