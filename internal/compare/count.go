package compare

import (
	"slices"
	"strconv"

	"github.com/deadlinelab/deadlinelab/internal/timeline"
)

// Count compares an exact count per operation: attempts, or requests that
// really arrived. It has no margin.
type Count struct {
	Changed bool    `json:"changed"`
	Shares  Shares  `json:"shares"`
	Verdict Verdict `json:"verdict"`
	Reason  string  `json:"reason"`
}

func counts(old, new []*timeline.Operation, of func(*timeline.Operation) int) Count {
	before, after := numbers(old, of), numbers(new, of)
	c := Count{Shares: shares(before, after, strconv.Itoa, number), Verdict: Same}
	more, fewer := shifted(before, after)
	c.Changed = more || fewer || c.Shares.changed()
	switch {
	case more:
		c.Verdict = More
	case fewer:
		c.Verdict = Fewer
	case c.Changed:
		c.Verdict, c.Reason = Changed, "another mix"
	case c.Shares.apart():
		c.Verdict, c.Reason = Inconclusive, "the mixes lie far apart, but in too few operations to be beyond chance"
	}
	return c
}

func numbers(ops []*timeline.Operation, of func(*timeline.Operation) int) []int {
	list := make([]int, len(ops))
	for i, op := range ops {
		list[i] = of(op)
	}
	return list
}

func number(text string) int {
	n, _ := strconv.Atoi(text)
	return n
}

// reported tells whether a series has attempts to compare.
func reported(s *timeline.Series) bool { return !slices.Contains(s.Unreported, "attempts") }

func attempts(op *timeline.Operation) int { return len(op.Attempts) }

func requests(op *timeline.Operation) int { return op.ServerRequests }
