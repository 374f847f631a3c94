package compare

import (
	"cmp"
	"math"
	"slices"

	"github.com/deadlinelab/deadlinelab/internal/timeline"
)

// farApart is the difference of two shares that nobody may call "no
// difference", even where the operations are too few to prove one.
const farApart = 0.2

// Share is how many operations of each run show one value.
type Share struct {
	Value string  `json:"value"`
	Old   Part    `json:"old"`
	New   Part    `json:"new"`
	P     float64 `json:"p"` // Fisher's exact test, two-sided
}

// Part is k of n operations, with Wilson's 95 % interval of the share.
type Part struct {
	Count int        `json:"count"`
	N     int        `json:"n"`
	CI95  [2]float64 `json:"ci95"`
}

func part(k, n int) Part {
	low, high := timeline.Wilson(k, n)
	return Part{Count: k, N: n, CI95: [2]float64{round(low, 4), round(high, 4)}}
}

func (p Part) share() float64 {
	if p.N == 0 {
		return 0
	}
	return float64(p.Count) / float64(p.N)
}

// Shares is a mix: every value that an operation of either run shows, in the
// value's own order.
type Shares []Share

// shares counts the values of both sides. order ranks a value; equals are in
// order of their text.
func shares[T any](old, new []T, value func(T) string, order func(string) int) Shares {
	before, after := tally(old, value), tally(new, value)
	values := make([]string, 0, len(before)+len(after))
	for v := range before {
		values = append(values, v)
	}
	for v := range after {
		if before[v] == 0 {
			values = append(values, v)
		}
	}
	slices.SortFunc(values, func(a, b string) int { return cmp.Or(cmp.Compare(order(a), order(b)), cmp.Compare(a, b)) })
	mix := make(Shares, 0, len(values))
	for _, v := range values {
		mix = append(mix, Share{Value: v, Old: part(before[v], len(old)), New: part(after[v], len(new)),
			P: fisher(before[v], len(old), after[v], len(new))})
	}
	return mix
}

func tally[T any](list []T, value func(T) string) map[string]int {
	counts := map[string]int{}
	for _, one := range list {
		counts[value(one)]++
	}
	return counts
}

// changed tells whether any share differs beyond chance.
func (m Shares) changed() bool {
	return slices.ContainsFunc(m, func(s Share) bool { return s.P <= chance })
}

// apart tells whether any share differs by more than farApart.
func (m Shares) apart() bool {
	return slices.ContainsFunc(m, func(s Share) bool { return math.Abs(s.New.share()-s.Old.share()) > farApart })
}

// shifted tells whether, beyond chance, more operations of the new run lie at or
// above some rank (up), and whether fewer do (down).
func shifted(old, new []int) (up, down bool) {
	steps := slices.Concat(old, new)
	slices.Sort(steps)
	for _, step := range slices.Compact(steps) {
		k1, k2 := atLeast(old, step), atLeast(new, step)
		if fisher(k1, len(old), k2, len(new)) > chance {
			continue
		}
		rise := float64(k2)/float64(len(new)) > float64(k1)/float64(len(old))
		up, down = up || rise, down || !rise
	}
	return up, down
}

func atLeast(list []int, step int) (n int) {
	for _, v := range list {
		if v >= step {
			n++
		}
	}
	return n
}

func round(v float64, decimals int) float64 {
	scale := math.Pow10(decimals)
	return math.Round(v*scale)/scale + 0 // + 0: no negative zero
}
