package timeline

import (
	"fmt"
	"math"
	"strconv"

	"github.com/deadlinelab/deadlinelab/internal/eventlog"
)

// A stall must be at least this long to explain another outcome or count,
// however wide the margin of a noisy machine is.
const disturbingStallMs = 10.0

type seriesKey struct{ scenario, variant string }

func keyOf(op *Operation) seriesKey { return seriesKey{op.Scenario, op.Variant} }

// judgeDisturbed marks the valid operations whose deviation from their series a
// stall of the machine explains.
func (r *Run) judgeDisturbed() {
	bySeries := map[seriesKey][]*Operation{}
	for _, op := range r.Operations {
		if counted(op) {
			bySeries[keyOf(op)] = append(bySeries[keyOf(op)], op)
		}
	}
	for _, ops := range bySeries {
		r.disturbedOf(ops)
	}
}

func (r *Run) disturbedOf(ops []*Operation) {
	common, medians := commonest(ops, signature), outcomeMedians(ops)
	late := commonest(ops, lateness)
	for _, op := range ops {
		off := math.Abs(op.DurationMs - medians[op.Outcome])
		switch {
		case op.Late && late == inTime && !r.explains(op.StallMs, op.Overshoot): // the one call in a hundred that hangs, whatever went by meanwhile
		case op.StallMs >= r.MarginMs && (off > r.MarginMs || lateness(op) != late) && r.explains(op.StallMs, off):
			op.disturb("a stall of %.3f ms explains that it is %.3f ms off the median", op.StallMs, off)
		case signature(op) != common && op.StallMs >= disturbingStallMs:
			op.disturb("a stall of %.3f ms explains that it differs from the commonest: %s instead of %s", op.StallMs, signature(op), common)
		}
	}
}

// explains tells whether a stall accounts for a deviation: all of it but the
// margin, or half of it, since a machine that stalls once delays the next steps
// as well.
func (r *Run) explains(stall, off float64) bool { return stall >= min(off-r.MarginMs, off/2) }

func (op *Operation) disturb(format string, args ...any) {
	op.Disturbed = true
	op.Reasons = append(op.Reasons, fmt.Sprintf(format, args...))
}

// signature is the outcome with its counts, as text for people too.
func signature(op *Operation) string {
	if op.Attempts == nil {
		return string(op.Outcome) + ", " + strconv.Itoa(op.ServerRequests) + " requests"
	}
	return string(op.Outcome) + ", " + strconv.Itoa(len(op.Attempts)) + " attempts, " + strconv.Itoa(op.ServerRequests) + " requests"
}

const inTime = "false"

func lateness(op *Operation) string { return strconv.FormatBool(op.Late) }

// commonest is the most frequent value; of equals the least in order.
func commonest(ops []*Operation, of func(*Operation) string) string {
	count := map[string]int{}
	for _, op := range ops {
		count[of(op)]++
	}
	best := ""
	for value, n := range count {
		if n > count[best] || n == count[best] && value < best {
			best = value
		}
	}
	return best
}

func outcomeMedians(ops []*Operation) map[eventlog.Outcome]float64 {
	durations := map[eventlog.Outcome][]float64{}
	for _, op := range ops {
		durations[op.Outcome] = append(durations[op.Outcome], op.DurationMs)
	}
	medians := make(map[eventlog.Outcome]float64, len(durations))
	for outcome, list := range durations {
		medians[outcome], _ = Median(list)
	}
	return medians
}
