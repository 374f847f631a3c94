package timeline

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/deadlinelab/deadlinelab/internal/eventlog"
)

// heardWithin is how long after its end the bench may hear of an operation in
// another process: later, its pipe or its machine was too slow for any figure.
const heardWithin = int64(100e6)

// lingers is how long the bench reads on from a process that has ended and left
// its output to a child: by so much later it knows of the end.
const lingers = int64(100e6)

func (d *builder) heardWithin() int64 {
	if d.op.Client == eventlog.ExecClient {
		return heardWithin + lingers
	}
	return heardWithin
}

// happened is when an event happened: by the account of the client that has one
// of its own, else when it was recorded.
func happened(e *eventlog.Event) int64 {
	if e.AtNs != 0 {
		return instant(e.AtNs)
	}
	return instant(e.TNs)
}

func before(a, b *eventlog.Event) bool {
	return cmp.Or(cmp.Compare(happened(a), happened(b)), cmp.Compare(a.Seq, b.Seq)) < 0
}

// asHappened puts an operation's events into the order in which they happened,
// where a client in another process told of any of them afterwards.
func asHappened(events Events, at []int32) []int32 {
	times, external := make([]int64, len(at)), false
	for k, i := range at {
		e := events.At(int(i))
		times[k], external = happened(&e), external || e.AtNs != 0
	}
	if !external {
		return at
	}
	places := make([]int, len(at))
	for k := range places {
		places[k] = k
	}
	slices.SortStableFunc(places, func(a, b int) int { return cmp.Compare(times[a], times[b]) })
	ordered := make([]int32, len(at))
	for k, p := range places {
		ordered[k] = at[p]
	}
	return ordered
}

// endedExternal keeps what the end says about the client itself.
func (d *builder) endedExternal(e *eventlog.Event) {
	if e.AtNs != 0 {
		d.heardLate = max(0, instant(e.TNs)-instant(e.AtNs))
	}
	d.queuedMs = max(0, e.LateMs)
	if e.Cause == eventlog.ClientBroke {
		d.op.ClientBroke = cmp.Or(e.Error, "it does not say how")
	}
}

// clientReasons: a client that broke, or was heard too late, proves nothing.
func (d *builder) clientReasons() (reasons []string) {
	if d.op.ClientBroke != "" {
		reasons = append(reasons, "the client broke: "+d.op.ClientBroke)
	}
	if d.begunMs > millis(heardWithin) {
		reasons = append(reasons, fmt.Sprintf("it began %.0f ms after it was asked for, and that wait is in none of its figures", d.begunMs))
	}
	if d.heardLate > d.heardWithin() {
		reasons = append(reasons, fmt.Sprintf("its end was reported %.0f ms after it happened", float64(d.heardLate)/1e6))
	}
	return reasons
}
