package runner

import (
	"fmt"
	"runtime/pprof"
)

// labelKey marks the goroutines of the clients under test in the profile of
// this process. A goroutine hands its labels on to those that it starts.
const labelKey = "deadlinelab"

// labels mark what the calls of one item start, in this run.
func (r *run) labels(item string) pprof.LabelSet {
	return pprof.Labels(labelKey, r.label(item))
}

// label tells the items of one run from those of another in the same process.
func (r *run) label(item string) string { return fmt.Sprintf("%p/%s", r, item) }
