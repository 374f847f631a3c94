package timeline

import (
	"cmp"
	"math"
	"slices"
	"sort"

	"github.com/deadlinelab/deadlinelab/internal/eventlog"
)

// LeastMarginMs is the margin of a quiet machine.
const LeastMarginMs = 5.0

// sample is one deadline of a noise sampler: due at from, acted on at to.
type sample struct {
	from, to int64
	reach    int64 // the largest to of this and all earlier samples
	lateMs   float64
	side     int // client or server
}

// readNoise collects the samples of both processes, and the margin from the
// client's: the caller's deadline is the client's clock alone.
func (r *Run) readNoise() {
	r.addSamples(client, 0)
	for _, s := range r.samples {
		r.NoiseMs = append(r.NoiseMs, s.lateMs)
	}
	slices.Sort(r.NoiseMs)
	r.MarginMs = max(LeastMarginMs, floorP99(r.NoiseMs))
	r.addSamples(server, r.in.OffsetNs)
	slices.SortFunc(r.samples, func(a, b sample) int {
		return cmp.Or(cmp.Compare(a.from, b.from), cmp.Compare(a.to, b.to))
	})
	reach := int64(math.MinInt64)
	for i := range r.samples {
		reach = max(reach, r.samples[i].to)
		r.samples[i].reach = reach
	}
}

// fewSamples is a second of a run: below it even the largest one is a guess.
const fewSamples = 20

// floorP99 of ascending samples is never the largest one of many: a single
// stall of a short run must not become what counts as in time.
func floorP99(ascending []float64) float64 {
	p99, _ := NearestRank(ascending, 99)
	if n := len(ascending); n >= fewSamples {
		return min(p99, ascending[n-2])
	}
	return p99
}

func (r *Run) addSamples(side int, offset int64) {
	events := r.from[side]
	for i := range events.Len() {
		if events.Kind(i) != eventlog.NoiseSampled {
			continue
		}
		e := events.At(i)
		if !finite(e.LateMs) {
			continue
		}
		late := max(e.LateMs, 0)
		from := instant(e.DueNs) + offset
		r.samples = append(r.samples, sample{from: from, to: from + nanoseconds(late), lateMs: late, side: side})
	}
}

// stall is the largest lateness of either process whose interval overlaps
// [from, to], in milliseconds.
func (r *Run) stall(from, to int64) float64 {
	return r.latest(from, to, func(sample) bool { return true })
}

// stopped is the same of the server alone.
func (r *Run) stopped(from, to int64) float64 {
	return r.latest(from, to, func(s sample) bool { return s.side == server })
}

func (r *Run) latest(from, to int64, counts func(sample) bool) float64 {
	first := sort.Search(len(r.samples), func(i int) bool { return r.samples[i].reach >= from })
	worst := 0.0
	for _, s := range r.samples[first:] {
		if s.from > to {
			break
		}
		if s.to >= from && counts(s) {
			worst = max(worst, s.lateMs)
		}
	}
	return worst
}
