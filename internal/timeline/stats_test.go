package timeline_test

import (
	"math"
	"testing"

	"github.com/deadlinelab/deadlinelab/internal/timeline"
)

// The figures are worked out by hand, so that another version of the statistics
// library cannot change what is printed.
func TestMedian(t *testing.T) {
	for _, c := range []struct {
		values []float64
		want   float64
	}{
		{[]float64{7}, 7},
		{[]float64{9, 1, 5}, 5},
		{[]float64{4, 1, 3, 2}, 2.5},
		{[]float64{-1, 1}, 0},
		{[]float64{1000.602, 1000.611}, 1000.6065},
	} {
		if got, ok := timeline.Median(c.values); !ok || math.Abs(got-c.want) > 1e-9 {
			t.Errorf("Median(%v) = %v, %t, want %v", c.values, got, ok, c.want)
		}
	}
	if got, ok := timeline.Median(nil); ok || got != 0 {
		t.Errorf("no values have no median, and no NaN: %v, %t", got, ok)
	}
}

// Nearest rank: of n values the one with rank ceil(n × percent / 100), never
// anything between two values.
func TestNearestRank(t *testing.T) {
	five := []float64{15, 20, 35, 40, 50}
	for _, c := range []struct{ percent, want float64 }{{5, 15}, {30, 20}, {40, 20}, {50, 35}, {95, 50}, {100, 50}} {
		if got, _ := timeline.NearestRank(five, c.percent); got != c.want {
			t.Errorf("%v %% of %v = %v, want %v", c.percent, five, got, c.want)
		}
	}
	if got, _ := timeline.NearestRank(upTo(90), 95); got != 86 {
		t.Errorf("95 %% of 1…90 = %v, want rank 86", got)
	}
}

// The ranks of the usual tables of binomial intervals for the median.
func TestMedianRanks(t *testing.T) {
	for _, c := range []struct{ n, low, high int }{
		{6, 1, 6}, {7, 1, 7}, {8, 1, 8}, {9, 2, 8}, {10, 2, 9}, {12, 3, 10}, {15, 4, 12}, {17, 5, 13}, {18, 5, 14},
		{20, 6, 15}, {25, 8, 18}, {30, 10, 21}, {50, 18, 33}, {60, 22, 39}, {90, 36, 55}, {100, 40, 61},
	} {
		low, high, ok := timeline.MedianRanks(c.n)
		if !ok || low != c.low || high != c.high {
			t.Errorf("n = %d: ranks %d and %d, want %d and %d", c.n, low, high, c.low, c.high)
		}
	}
	for n := range 6 {
		if _, _, ok := timeline.MedianRanks(n); ok {
			t.Errorf("n = %d has no 95 %% interval", n)
		}
	}
}

// The ranks cover the median with at least 95 %, and the next narrower ones do not.
func TestMedianRanksAreExact(t *testing.T) {
	for n := 6; n <= 200; n++ {
		low, high, _ := timeline.MedianRanks(n)
		if c := coverage(n, low); low+high != n+1 || c < 0.95 {
			t.Errorf("n = %d: ranks %d and %d cover %v", n, low, high, c)
		}
		if c := coverage(n, low+1); c >= 0.95 {
			t.Errorf("n = %d: the narrower interval from rank %d covers %v as well", n, low+1, c)
		}
	}
}

// coverage is P(low ≤ Binomial(n, 1/2) ≤ n−low), summed up from Pascal's rule.
func coverage(n, low int) float64 {
	row := []float64{1}
	for range n {
		next := make([]float64, len(row)+1)
		for k, p := range row {
			next[k] += p / 2
			next[k+1] += p / 2
		}
		row = next
	}
	sum := 0.0
	for k := low; k <= n-low; k++ {
		sum += row[k]
	}
	return sum
}

// Large n neither overflows nor loses its symmetry.
func TestMedianRanksOfMany(t *testing.T) {
	low, high, ok := timeline.MedianRanks(10_000)
	if !ok || low != 4902 || high != 5099 {
		t.Errorf("n = 10000: %d and %d, want 4902 and 5099", low, high)
	}
}

// 81 of 263 is a textbook example of the interval, the others follow from its formula.
func TestWilson(t *testing.T) {
	for _, c := range []struct {
		k, n      int
		low, high float64
	}{
		{0, 90, 0, 0.0409}, {90, 90, 0.9591, 1}, {45, 90, 0.3988, 0.6012}, {1, 10, 0.0179, 0.4042}, {81, 263, 0.2553, 0.3662}, {0, 0, 0, 1},
	} {
		low, high := timeline.Wilson(c.k, c.n)
		if math.Abs(low-c.low) > 5e-5 || math.Abs(high-c.high) > 5e-5 {
			t.Errorf("Wilson(%d, %d) = %.4f … %.4f, want %.4f … %.4f", c.k, c.n, low, high, c.low, c.high)
		}
	}
}

func upTo(n int) []float64 {
	values := make([]float64, n)
	for i := range values {
		values[i] = float64(n - i)
	}
	return values
}
