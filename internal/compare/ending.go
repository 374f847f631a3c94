package compare

import (
	"slices"

	"github.com/deadlinelab/deadlinelab/internal/eventlog"
	"github.com/deadlinelab/deadlinelab/internal/timeline"
)

// Ending compares how operations ended: their outcomes, and what their callers
// got.
type Ending struct {
	Changed  bool    `json:"changed"` // beyond chance: no time is compared
	Outcomes Shares  `json:"outcomes"`
	Promise  Shares  `json:"promise"`
	Verdict  Verdict `json:"verdict"`
	Reason   string  `json:"reason"`
}

func endings(old, new []*timeline.Operation) Ending {
	e := Ending{
		Outcomes: shares(old, new, func(op *timeline.Operation) string { return string(op.Outcome) }, outcomeRank),
		Promise:  shares(old, new, promised, promiseRank),
		Verdict:  Same,
	}
	worse, better := shifted(severities(old), severities(new))
	e.Changed = worse || better || e.Outcomes.changed() || e.Promise.changed()
	switch {
	case e.Changed:
		e.Verdict, e.Reason = direction(worse, better)
	case e.Outcomes.apart() || e.Promise.apart():
		e.Verdict, e.Reason = Inconclusive, "the mixes lie far apart, but in too few operations to be beyond chance"
	}
	return e
}

func direction(worse, better bool) (Verdict, string) {
	switch {
	case worse && better:
		return Worse, "the caller is worse off in some operations and better off in others"
	case worse:
		return Worse, "the caller is worse off"
	case better:
		return Better, "the caller is better off"
	}
	return Inconclusive, "another ending that is neither better nor worse for the caller: look at both"
}

// severities rank what the caller got, from 0 for the best: the promise first,
// inside it the outcome.
func severities(ops []*timeline.Operation) []int {
	list := make([]int, len(ops))
	for i, op := range ops {
		list[i] = 3*promiseSeverity[op.Promise] + outcomeSeverity(op.Outcome)
	}
	return list
}

// A cancel is what the caller itself asked for: as good as a kept promise.
var promiseSeverity = map[timeline.Promise]int{timeline.Kept: 0, timeline.CancelledByCaller: 0, timeline.FailedInTime: 1, timeline.Late: 2, timeline.Unbounded: 3}

func outcomeSeverity(o eventlog.Outcome) int {
	switch o {
	case eventlog.Success, eventlog.Cancelled:
		return 0
	case eventlog.ClientError: // the client itself broke
		return 2
	}
	return 1
}

func outcomeRank(o string) int { return slices.Index(eventlog.Outcomes, eventlog.Outcome(o)) }

// undecided is the promise of a call whose start-up decides whether it was in time.
const undecided = "undecided"

func promised(op *timeline.Operation) string {
	if op.Unsure() {
		return undecided
	}
	return string(op.Promise)
}

func promiseRank(p string) int {
	if p == undecided {
		return len(timeline.Promises)
	}
	return slices.Index(timeline.Promises, timeline.Promise(p))
}
