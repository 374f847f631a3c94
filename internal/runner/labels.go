package runner

import (
	"fmt"
	"runtime/pprof"

	"github.com/deadlinelab/deadlinelab/internal/instrument"
)

// labels mark what the calls of one item start, in this run.
func (r *run) labels(item string) pprof.LabelSet {
	return pprof.Labels(instrument.LabelKey, r.label(item))
}

// label tells the items of one run from those of another in the same process.
func (r *run) label(item string) string { return fmt.Sprintf("%p/%s", r, item) }
