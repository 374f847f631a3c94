package compare

import "math"

// chance is the level of every test on a share: below it a difference is called
// beyond chance. At 1 in 200 a change of all six operations of the smoke profile is
// still seen, also when one of them does not count (p = 2/462); two 95 % Wilson
// intervals that just do not meet stand for about as much.
const chance = 1.0 / 200

// fisher is the two-sided p of Fisher's exact test: how probable a table at
// most as likely as k1 of n1 against k2 of n2 is when both shares are equal. 1
// when a side is empty.
func fisher(k1, n1, k2, n2 int) float64 {
	hits := k1 + k2
	log := func(k int) float64 { return logChoose(n1, k) + logChoose(n2, hits-k) - logChoose(n1+n2, hits) }
	seen, p := log(k1), 0.0
	for k := max(0, hits-n2); k <= min(n1, hits); k++ {
		// Equally likely tables must all count although their logarithms differ
		// in the last digits.
		if l := log(k); l <= seen+1e-7 {
			p += math.Exp(l)
		}
	}
	return min(1, p)
}

func logChoose(n, k int) float64 { return logFactorial(n) - logFactorial(k) - logFactorial(n-k) }

func logFactorial(n int) float64 {
	v, _ := math.Lgamma(float64(n) + 1)
	return v
}
