package wording

import "github.com/deadlinelab/deadlinelab/internal/timeline"

// Unsure stands in every picture and table for the promise of a call of which
// nobody can tell whether it was in time: the length of its start-up decides.
const Unsure timeline.Promise = "unsure"

// undecidedWord stands for it in a column of outcomes and promises.
const undecidedWord = "undecided"

// PromiseOf is what the caller of an operation got, as far as it is known.
func PromiseOf(o *timeline.Operation) timeline.Promise {
	if o.Unsure() {
		return Unsure
	}
	return o.Promise
}

// TypicalPromise is what the typical caller got, as far as it is known; empty
// without an operation.
func TypicalPromise(s timeline.Series) timeline.Promise {
	keys := Keys(s.Promise, PromiseOrder)
	switch {
	case len(keys) == 0:
		return ""
	case InTime(timeline.Promise(keys[0])) && TooClose(s):
		return Unsure
	}
	return timeline.Promise(keys[0])
}

// InTime reports whether p is known to be in time: an answer or an error.
func InTime(p timeline.Promise) bool {
	return p != timeline.Late && p != timeline.Unbounded && p != Unsure
}

// PromisesText is the mix of promises in a table.
func PromisesText(s timeline.Series) string {
	if TypicalPromise(s) == Unsure {
		return undecidedWord
	}
	return Short(s.Promise, PromiseOrder, s.N)
}

// undecidedShare is the most that a requirement passes over, as with invalid
// operations.
const undecidedShare = 0.05

// TooClose tells whether more than that ended so little too late that the
// length of their own start-up may be the reason, or typically later than any
// other client may.
func TooClose(s timeline.Series) bool {
	typically := s.StartupMs != nil && s.OvershootMs != nil && s.OvershootMs.Median > timeline.Lenient(s.BudgetMs)
	return float64(s.Undecided) > undecidedShare*float64(s.N) || typically && s.Late+s.Promise[string(timeline.Unbounded)] < (s.N+1)/2
}
