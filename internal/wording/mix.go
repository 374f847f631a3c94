// Package wording says figures, promises, scenarios and clients in the words that
// every format shares.
package wording

import (
	"cmp"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/deadlinelab/deadlinelab/internal/eventlog"
	"github.com/deadlinelab/deadlinelab/internal/timeline"
)

// OutcomeOrder is the place of each outcome in a list.
var OutcomeOrder = func() map[string]int {
	order := map[string]int{}
	for i, o := range eventlog.Outcomes {
		order[string(o)] = i
	}
	return order
}()

// PromiseOrder is the place of each promise in a list.
var PromiseOrder = func() map[string]int {
	order := map[string]int{}
	for i, p := range timeline.Promises {
		order[string(p)] = i
	}
	return order
}()

// Keys lists the keys of a tally, commonest first, then in the given order,
// then as numbers or text.
func Keys(tally map[string]int, order map[string]int) []string {
	return slices.SortedFunc(maps.Keys(tally), func(a, b string) int {
		return cmp.Or(cmp.Compare(tally[b], tally[a]), cmp.Compare(order[a], order[b]), cmp.Compare(Number(a), Number(b)), cmp.Compare(a, b))
	})
}

// Mix is "deadline_exceeded 88, success 2"; counts of numbers are written
// "2 × 88, 3 × 2".
func Mix(tally map[string]int, order map[string]int) string {
	var parts []string
	for _, k := range Keys(tally, order) {
		times := " "
		if order == nil {
			times = " × "
		}
		parts = append(parts, k+times+strconv.Itoa(tally[k]))
	}
	return strings.Join(parts, ", ")
}

// Short is the one key of a tally that all n operations share, else the mix.
func Short(tally map[string]int, order map[string]int, n int) string {
	for k, v := range tally {
		if len(tally) == 1 && v == n {
			return k
		}
	}
	if len(tally) == 0 {
		return "–"
	}
	return Mix(tally, order)
}

// Number reads a tally's key; keys that are no number sort first.
func Number(key string) int {
	n, err := strconv.Atoi(key)
	if err != nil {
		return -1
	}
	return n
}
