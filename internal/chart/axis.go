package chart

import (
	"math"

	"github.com/deadlinelab/deadlinelab/internal/timeline"
)

// Scale maps milliseconds to columns 0 … Columns-1.
type Scale struct {
	EndMs   float64
	Columns int
}

// Column is the column of a moment; moments outside of the axis get the
// nearest one.
func (s Scale) Column(ms float64) int {
	column := int(math.Round(ms / s.EndMs * float64(s.Columns-1)))
	return min(max(column, 0), s.Columns-1)
}

// axisEnd shows everything up to the caller's return, and the server's
// afterlife as long as it does not shrink the rest to less than half. The
// deadline belongs to the picture unless all is over before half of it.
func axisEnd(subjects []Subject) float64 {
	var returned, all, deadline float64
	for _, s := range subjects {
		returned = max(returned, s.Operation.DurationMs)
		deadline = max(deadline, s.Operation.BudgetMs)
		all = max(all, serverEnd(s.Operation))
	}
	end := returned
	if deadline < 2*returned {
		end = max(end, deadline)
	}
	if all > end {
		end = max(end, min(all, max(2*end, 3*returned)))
	}
	return math.Max(end*1.02, 1)
}

func serverEnd(o *timeline.Operation) float64 {
	var end float64
	for _, e := range Exchanges(o) {
		if e.HandlerEndMs != nil {
			end = max(end, *e.HandlerEndMs)
		}
	}
	return end
}

// Ticks are at most twelve round steps from 0.
func Ticks(end float64) []float64 {
	step := math.Pow(10, math.Floor(math.Log10(end)))
	for _, part := range []float64{0.1, 0.2, 0.5, 1} {
		if end/(step*part) <= 12 {
			step *= part
			break
		}
	}
	var list []float64
	for i := 0; float64(i)*step <= end; i++ {
		list = append(list, float64(i)*step)
	}
	return list
}
