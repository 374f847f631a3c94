package scenario

import (
	"math"

	"github.com/deadlinelab/deadlinelab/internal/eventlog"
)

func (e Expect) is(o eventlog.Outcome) bool { return e.Outcome != nil && *e.Outcome == o }

func yes(b *bool) bool { return b != nil && *b }
func no(b *bool) bool  { return b != nil && !*b }

// least and most are the ends of what the expectation allows.
func (d Duration) least() float64 {
	switch {
	case !d.IsWindow():
		return d.Ms
	case d.MinMs == nil:
		return math.Inf(-1)
	}
	return *d.MinMs
}

func (d Duration) most() float64 {
	switch {
	case !d.IsWindow():
		return d.Ms
	case d.MaxMs == nil:
		return math.Inf(1)
	}
	return *d.MaxMs
}

// text is what the expectation allows: "20", "10 … 20", "at most 20".
func (d Duration) text() string {
	switch lo, hi := d.least(), d.most(); {
	case lo == hi:
		return number(lo)
	case math.IsInf(lo, -1):
		return "at most " + number(hi)
	case math.IsInf(hi, 1):
		return "at least " + number(lo)
	default:
		return number(lo) + " … " + number(hi)
	}
}

func (c Count) least() int {
	switch {
	case c.Min == nil && c.Max == nil:
		return c.N
	case c.Min == nil:
		return 0
	}
	return *c.Min
}

// only tells whether n is the one count that holds.
func (c Count) only(n int) bool {
	return c.Holds(n) && c.least() == n && !c.Holds(n+1)
}
