package compare

import (
	"math"
	"math/big"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/deadlinelab/deadlinelab/internal/eventlog"
	"github.com/deadlinelab/deadlinelab/internal/timeline"
)

// Values worked out by hand from the hypergeometric distribution.
func TestFisher(t *testing.T) {
	tests := []struct {
		k1, n1, k2, n2 int
		want           float64
	}{
		{3, 4, 1, 4, 34.0 / 70},
		{6, 6, 0, 6, 2.0 / 924},
		{5, 5, 0, 5, 2.0 / 252},
		{0, 90, 0, 90, 1},
		{90, 90, 89, 90, 1},
		{2, 2, 0, 3, 0.1},
		{0, 0, 3, 3, 1},
	}
	for _, test := range tests {
		if got := fisher(test.k1, test.n1, test.k2, test.n2); math.Abs(got-test.want) > 1e-9 {
			t.Errorf("%d of %d against %d of %d: p = %g, expected %g", test.k1, test.n1, test.k2, test.n2, got, test.want)
		}
		if there, back := fisher(test.k1, test.n1, test.k2, test.n2), fisher(test.k2, test.n2, test.k1, test.n1); math.Abs(there-back) > 1e-12 {
			t.Errorf("p = %g there, %g back", there, back)
		}
	}
}

// The rank is the largest whose miss stays below its share of 5 %, in exact
// integers.
func TestRank(t *testing.T) {
	tail := new(big.Float).Mul(big.NewFloat(0.5), new(big.Float).Sub(big.NewFloat(1), new(big.Float).Sqrt(big.NewFloat(0.95))))
	for n := leastForInterval; n <= 120; n++ { // past the n of a full run
		r, miss := rank(n)
		all := new(big.Float).SetInt(new(big.Int).Lsh(big.NewInt(1), uint(n)))
		exact, _ := new(big.Float).Quo(below(n, r), all).Float64()
		if math.Abs(exact-miss) > 1e-12 {
			t.Errorf("n = %d: rank %d misses with %g, exactly %g", n, r, miss, exact)
		}
		limit := new(big.Float).Mul(tail, all)
		if below(n, r+1).Cmp(limit) <= 0 {
			t.Errorf("n = %d: rank %d would do", n, r+1)
		}
		if n > leastForInterval && below(n, r).Cmp(limit) > 0 {
			t.Errorf("n = %d: rank %d misses too often", n, r)
		}
	}
}

// below is how many of the 2^n outcomes have fewer than r below the median.
func below(n, r int) *big.Float {
	sum := new(big.Int)
	for k := range r {
		sum.Add(sum, new(big.Int).Binomial(int64(n), int64(k)))
	}
	return new(big.Float).SetInt(sum)
}

// The interval holds the true difference of two unlike, skewed distributions at
// least as often as its level says.
func TestIntervalCovers(t *testing.T) {
	rnd := seeded()
	draw := func(n int, scale float64) []float64 {
		list := make([]float64, n)
		for i := range list {
			list[i] = scale * rnd.ExpFloat64()
		}
		return list
	}
	truth := (10 - 1) * math.Ln2
	for _, n := range [][2]int{{6, 6}, {20, 35}, {90, 90}} {
		const pairs = 4000
		held, level := 0, 0.0
		for range pairs {
			s := between(draw(n[0], 1), draw(n[1], 10))
			level = s.level
			if s.low <= truth && truth <= s.high {
				held++
			}
		}
		if share := float64(held) / pairs; share < level-0.01 || level < 0.938 {
			t.Errorf("n = %v: holds in %.4f of the pairs, level %.4f", n, share, level)
		}
	}
}

// Two runs of one commit at n = 90: in 1,000 pairs, each run with a drift of
// its own, no regression and no improvement, and no doubt either.
func TestNoFalseRegression(t *testing.T) {
	rnd := seeded()
	for pair := range 1000 {
		drift := func() float64 { return rnd.NormFloat64() * 0.4 }
		success := success(90, 20+drift())
		deadline := func() shape { s := deadlineD(90); s.ms += math.Abs(drift()); return s }
		old, new := recording(rnd, success), recording(rnd, success)
		old.add(rnd, "semaphore_wait", "D", deadline())
		new.add(rnd, "semaphore_wait", "D", deadline())
		if c := Compare(old, new, usual); c.Verdict != Same {
			t.Fatalf("pair %d: %s: %+v", pair, c.Verdict, c.Series)
		}
	}
}

// A race that ends either way mixes outcomes and counts. Of 1,000 pairs of one
// mix no more are called changed than the level of the test allows.
func TestMixesWithinChance(t *testing.T) {
	rnd := seeded()
	race := func() *Run {
		kept := 0
		for range 90 {
			if rnd.Float64() < 0.7 {
				kept++
			}
		}
		late := lateC(90 - kept)
		late.attempts = 2
		return recording(rnd, success(kept, 990), late)
	}
	changed, times := 0, 0
	for range 1000 {
		s := only(t, Compare(race(), race(), usual))
		if s.Ending.Changed || s.Attempts.Changed {
			changed++
		} else if s.Verdict == Worse {
			times++
		}
	}
	// 5 expected at most; 14 or more have a chance of 1 in 1,000.
	if changed > 13 || times > 0 {
		t.Errorf("%d of 1000 mixes called changed, %d times called worse", changed, times)
	}
}

// mirrored is what a verdict is called the other way round.
func mirrored(v Verdict, failure bool) Verdict {
	switch {
	case v == Better || v == Sooner:
		return Worse
	case v == Worse && failure:
		return Sooner
	case v == Worse:
		return Better
	case v == More:
		return Fewer
	case v == Fewer:
		return More
	}
	return v
}

// compare(a, b) seen in a mirror is compare(b, a).
func TestMirror(t *testing.T) {
	rnd := seeded()
	for range 400 {
		a, b := recording(rnd, mixture(rnd)...), recording(rnd, mixture(rnd)...)
		there, back := only(t, Compare(a, b, usual)), only(t, Compare(b, a, usual))
		if there.Ending.Changed != back.Ending.Changed || len(there.Times) != len(back.Times) {
			t.Fatalf("ending changed %v and %d times there, %v and %d back", there.Ending.Changed, len(there.Times), back.Ending.Changed, len(back.Times))
		}
		for i, x := range there.Times {
			y := back.Times[i]
			failure := x.Outcome != eventlog.Success && x.Figure == duration
			if x.Difference != -y.Difference+0 || x.Margin != y.Margin || y.Verdict != mirrored(x.Verdict, failure) {
				t.Fatalf("there %+v\nback  %+v", x, y)
			}
			if (x.Interval == nil) != (y.Interval == nil) || x.Interval != nil && (x.Interval[0] != -y.Interval[1]+0 || x.Interval[1] != -y.Interval[0]+0) {
				t.Fatalf("interval %v there, %v back", x.Interval, y.Interval)
			}
		}
		mirrorsEnding(t, there, back)
	}
}

// mirrorsEnding looks at what is judged as worse even if some operations are
// better: that has no mirror image, all else has.
func mirrorsEnding(t *testing.T, there, back Series) {
	t.Helper()
	x, y := there.Ending.Verdict, back.Ending.Verdict
	if y != mirrored(x, false) && !(x == Worse && y == Worse) {
		t.Fatalf("ending %s there, %s back", x, y)
	}
	if there.Ending.Changed {
		return
	}
	x, y = there.Attempts.Verdict, back.Attempts.Verdict
	if y != mirrored(x, false) && !(x == More && y == More) {
		t.Fatalf("attempts %s there, %s back", x, y)
	}
}

// mixture draws one to three endings.
func mixture(rnd *rand.Rand) []shape {
	all := []shape{success(0, 20), success(0, 30), lateC(0), deadlineD(0), {outcome: eventlog.RetriesExhausted, promise: timeline.FailedInTime, ms: 450, attempts: 3},
		{outcome: eventlog.RetriesExhausted, promise: timeline.FailedInTime, ms: 300, attempts: 2}}
	rnd.Shuffle(len(all), func(i, j int) { all[i], all[j] = all[j], all[i] })
	chosen := slices.Clone(all[:1+rnd.IntN(2)])
	for i := range chosen {
		chosen[i].n = 1 + rnd.IntN(60)
	}
	return chosen
}
