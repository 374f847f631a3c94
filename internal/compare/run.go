// Package compare judges two runs against each other: outcomes and promises
// first, times only within one outcome, and nothing beyond what the samples and
// the machines can carry. It reads operations and series, and measures nothing.
package compare

import (
	"slices"

	"github.com/deadlinelab/deadlinelab/internal/eventlog"
	"github.com/deadlinelab/deadlinelab/internal/timeline"
)

// Run is one of the two runs, as its logs tell it.
type Run struct {
	Name       string   // what reports call it: its directory
	Incomplete string   // why it did not get to its end; "" = it did
	Mismatches []string // what in its directory is not what the run wrote
	Series     []timeline.Series
	Operations []*timeline.Operation // every phase
	NoiseMs    []float64             // lateness of the client's sampled deadlines
	Facts      []Setting             // where and how it ran: a difference is a note
	Settings   map[string][]Setting  // by scenario: what it asks of client and upstream
}

// Setting is one named value, as text.
type Setting struct{ Key, Value string }

// cell names one series of a run.
type cell struct{ scenario, variant string }

func cellOf(s *timeline.Series) cell { return cell{s.Scenario, s.Variant} }

// counted groups the operations that are in a series: the same ones that
// timeline counts as its n.
func (r *Run) counted() map[cell][]*timeline.Operation {
	byCell := map[cell][]*timeline.Operation{}
	for _, op := range r.Operations {
		if op.Phase == eventlog.Measured && op.Finished && op.Valid && !op.Disturbed {
			c := cell{op.Scenario, op.Variant}
			byCell[c] = append(byCell[c], op)
		}
	}
	return byCell
}

// floorP95 is the 95th percentile of how late deadlines are in this run; false
// when nothing was sampled.
func (r *Run) floorP95() (float64, bool) { return timeline.NearestRank(r.NoiseMs, 95) }

// sameMeasurement tells whether two series are the very same operations: a run
// compared with itself, or with a copy. t0 is on a clock that never repeats.
func sameMeasurement(a, b []*timeline.Operation) bool {
	return slices.EqualFunc(a, b, func(x, y *timeline.Operation) bool {
		return x.Op == y.Op && x.T0Ns == y.T0Ns && x.DurationMs == y.DurationMs && x.Outcome == y.Outcome
	})
}
