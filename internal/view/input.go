// Package view is a judged run as the formats see it: its groups, the matrix of
// scenarios and variants, the operations behind each figure, and the commands and
// places that a reader needs next.
package view

import (
	"github.com/deadlinelab/deadlinelab/internal/rundir"
	"github.com/deadlinelab/deadlinelab/internal/scenario"
	"github.com/deadlinelab/deadlinelab/internal/timeline"
	"github.com/deadlinelab/deadlinelab/internal/verdict"
)

// Input is what a format may use. Only the summary is always there.
type Input struct {
	Summary    *verdict.Summary
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

// ScenarioNamed finds a scenario's file, nil if the input has none.
func (in Input) ScenarioNamed(name string) *scenario.Scenario {
	for _, s := range in.Scenarios {
		if s.Name == name {
			return s
		}
	}
	return nil
}
