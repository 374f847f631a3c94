package timeline

import (
	"math"

	"github.com/montanaflynn/stats"
)

// Median is the middle value, or the mean of the two in the middle; 0 and
// false for no values.
func Median(values []float64) (float64, bool) {
	return known(stats.Median(values))
}

// NearestRank is the smallest value that at least percent of the values do not
// exceed: one of the values themselves. percent lies in (0, 100]. 0 and false
// for no values.
func NearestRank(values []float64, percent float64) (float64, bool) {
	return known(stats.PercentileNearestRank(values, percent))
}

// known keeps the library's NaN for no values away from further arithmetic.
func known(v float64, err error) (float64, bool) {
	if err != nil || math.IsNaN(v) {
		return 0, false
	}
	return v, true
}

// MedianRanks are the ranks, from 1, between which the median lies with at
// least 95 % probability, whatever the distribution: the order statistics r and
// n+1-r with the largest r for which P(Binomial(n, 1/2) < r) is at most 2.5 %.
// False below 6 values, where even the extremes do not reach 95 %.
func MedianRanks(n int) (low, high int, ok bool) {
	below := 0.0
	r := 0
	for ; r <= n/2; r++ {
		below += math.Exp(logBinomialHalf(n, r))
		if below > 0.025 {
			break
		}
	}
	if r == 0 || n < 6 {
		return 0, 0, false
	}
	return r, n + 1 - r, true
}

// logBinomialHalf is the logarithm of P(Binomial(n, 1/2) = k).
func logBinomialHalf(n, k int) float64 {
	lg := func(x int) float64 { v, _ := math.Lgamma(float64(x) + 1); return v }
	return lg(n) - lg(k) - lg(n-k) - float64(n)*math.Ln2
}

// Wilson is the 95 % interval of a share of k in n by Wilson's score; 0 to 1
// for n = 0.
func Wilson(k, n int) (low, high float64) {
	if n <= 0 {
		return 0, 1
	}
	const z = 1.959963984540054
	size, share := float64(n), float64(k)/float64(n)
	centre := share + z*z/(2*size)
	half := z * math.Sqrt(share*(1-share)/size+z*z/(4*size*size))
	whole := 1 + z*z/size
	return max(0, (centre-half)/whole), min(1, (centre+half)/whole)
}
