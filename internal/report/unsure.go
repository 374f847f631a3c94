package report

import "github.com/deadlinelab/deadlinelab/internal/timeline"

// unsure stands in every picture and table for the promise of a call of which
// nobody can tell whether it was in time: the length of its start-up decides.
const unsure timeline.Promise = "unsure"

func init() { dresses[string(unsure)] = dress{"none", "≈", "too close to tell"} }

// undecidedWord stands for it in a column of outcomes and promises.
const undecidedWord = "undecided"

// promiseOf is what the caller of an operation got, as far as it is known.
func promiseOf(o *timeline.Operation) timeline.Promise {
	if o.Unsure() {
		return unsure
	}
	return o.Promise
}

// typicalPromise is what the typical caller got, as far as it is known; empty
// without an operation.
func typicalPromise(s timeline.Series) timeline.Promise {
	keys := mixKeys(s.Promise, promiseOrder)
	switch {
	case len(keys) == 0:
		return ""
	case inTime(timeline.Promise(keys[0])) && tooClose(s):
		return unsure
	}
	return timeline.Promise(keys[0])
}

func inTime(p timeline.Promise) bool {
	return p != timeline.Late && p != timeline.Unbounded && p != unsure
}

// promisesText is the mix of promises in a table.
func promisesText(s timeline.Series) string {
	if typicalPromise(s) == unsure {
		return undecidedWord
	}
	return short(s.Promise, promiseOrder, s.N)
}

// undecidedShare is the most that a requirement passes over, as with invalid
// operations.
const undecidedShare = 0.05

// tooClose tells whether more than that ended so little too late that the
// length of their own start-up may be the reason, or typically later than any
// other client may.
func tooClose(s timeline.Series) bool {
	typically := s.StartupMs != nil && s.OvershootMs != nil && s.OvershootMs.Median > timeline.Lenient(s.BudgetMs)
	return float64(s.Undecided) > undecidedShare*float64(s.N) || typically && s.Late+s.Promise[string(timeline.Unbounded)] < (s.N+1)/2
}
