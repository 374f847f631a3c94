package chart

import "github.com/deadlinelab/deadlinelab/internal/timeline"

// UnderWay stands in a Block for the promise of an operation that has not
// ended yet.
const UnderWay timeline.Promise = "under_way"

// SetEnd moves the end of the axis, in ms from t0: a chart that is drawn again
// while its operations go on keeps one axis.
func (c *Chart) SetEnd(endMs float64) { c.EndMs, c.Ticks = endMs, Ticks(endMs) }
