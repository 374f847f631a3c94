package compare

import (
	"math"
	"slices"

	"github.com/deadlinelab/deadlinelab/internal/timeline"
)

// leastForInterval is the smallest n on either side for an interval.
const leastForInterval = 6

// shift is the difference of two medians, new minus old, with an interval that
// holds the true difference with at least the probability Level.
type shift struct {
	before, after float64 // the medians
	difference    float64
	low, high     float64
	level         float64
	known         bool // both sides are large enough for an interval
}

// between is the shift from old to new. Its interval puts an exact
// order-statistic interval of each median against the other's far end: each
// holds with √0.95, so both hold together, and with them the difference, in at
// least 95 of 100 pairs of runs, whatever the two distributions are.
func between(old, new []float64) shift {
	a, b := sorted(old), sorted(new)
	before, _ := timeline.Median(a)
	after, _ := timeline.Median(b)
	s := shift{before: before, after: after, difference: after - before}
	if len(a) < leastForInterval || len(b) < leastForInterval {
		return s
	}
	i, missA := rank(len(a))
	j, missB := rank(len(b))
	s.low, s.high = b[j-1]-a[len(a)-i], b[len(b)-j]-a[i-1]
	s.level, s.known = (1-2*missA)*(1-2*missB), true
	return s
}

func sorted(values []float64) []float64 {
	list := slices.Clone(values)
	slices.Sort(list)
	return list
}

// rank is the largest r, from 1, for which the r-th smallest of n values lies
// above the median with at most (1 − √0.95)/2, and that probability. At n = 6
// even the extremes miss a little more often; the level says so.
func rank(n int) (r int, miss float64) {
	tail := (1 - math.Sqrt(0.95)) / 2
	below := math.Exp(-float64(n) * math.Ln2) // P(Binomial(n, ½) < 1)
	for r = 1; ; r++ {
		next := below + math.Exp(logChoose(n, r)-float64(n)*math.Ln2)
		if next > tail {
			return r, below
		}
		below = next
	}
}
