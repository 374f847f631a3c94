package chart

import (
	"fmt"
	"slices"

	"github.com/deadlinelab/deadlinelab/internal/eventlog"
	"github.com/deadlinelab/deadlinelab/internal/timeline"
	"github.com/deadlinelab/deadlinelab/internal/wording"
)

// Lane names.
const (
	callerName     = "caller"
	slotName       = "slot"
	connectionName = "connection"
	otherName      = "other call"
	clientName     = "client"
	stopName       = "gives up"
	serverName     = "server"
)

// CallerLane is the wait of the caller, with what lies past its deadline.
func CallerLane(o *timeline.Operation) Lane {
	lane := Lane{Name: callerName, Marks: []Mark{{Kind: Returned, AtMs: o.DurationMs, Label: returnText(o)}}}
	within := o.DurationMs
	if o.Late {
		within = o.BudgetMs
		if o.NetMs != nil {
			within = min(o.BudgetMs+*o.StartupMs, o.DurationMs)
		}
	}
	lane.Bars = append(lane.Bars, Bar{Kind: Waiting, ToMs: within, Labels: []string{"waits for its answer", "waits"}})
	if o.Late {
		lane.Bars = append(lane.Bars, Bar{Kind: Overdue, FromMs: within, ToMs: o.DurationMs})
	}
	return lane
}

// returnText is what the moment of return means to the caller.
func returnText(o *timeline.Operation) string {
	switch wording.PromiseOf(o) {
	case timeline.Late, timeline.Unbounded:
		return wording.MsText(o.Overshoot) + " late"
	case wording.Unsure:
		return "too close to tell"
	case timeline.CancelledByCaller:
		return "free"
	}
	if o.NetMs != nil && o.DurationMs > o.BudgetMs {
		return "in time, net"
	}
	return "in time"
}

// helperLanes show who stood in the way: a call that holds the slot, one that
// holds the connection, or one that went first. shift is the helper's t0 on
// the operation's axis.
func helperLanes(h *timeline.Operation, shift float64) []Lane {
	var lanes []Lane
	if len(h.Backoffs) > 0 {
		lanes = append(lanes, Lane{Name: otherName, Bars: shifted(callBars(h), shift)})
	} else if held := connectionHeld(h); len(held) > 0 {
		lanes = append(lanes, Lane{Name: connectionName, Bars: shifted(held, shift)})
	}
	if len(h.Slots) > 0 {
		lanes = append(lanes, Lane{Name: slotName, Bars: shifted(SlotBars(h), shift)})
	}
	return lanes
}

func connectionHeld(h *timeline.Operation) []Bar {
	var bars []Bar
	for _, a := range h.Attempts {
		from := a.FromMs
		if a.Connection != nil {
			from = a.Connection.ToMs
		}
		bars = append(bars, Bar{Kind: Held, FromMs: from, ToMs: a.ToMs, Open: a.Open, Labels: []string{"another call holds the only connection", "held by another call", "held"}, Beside: []string{"held"}})
	}
	return bars
}

// SlotBars are the spans in which a helper held slots.
func SlotBars(h *timeline.Operation) []Bar {
	var bars []Bar
	for _, s := range h.Slots {
		bars = append(bars, Bar{Kind: Held, FromMs: s.FromMs, ToMs: s.ToMs, Open: s.Open, Labels: []string{"another call holds the only slot", "held by another call", "held"}, Beside: []string{"held"}})
	}
	return bars
}

func shifted(bars []Bar, by float64) []Bar {
	for i := range bars {
		bars[i].FromMs += by
		bars[i].ToMs += by
	}
	return bars
}

func clientLane(o *timeline.Operation) Lane {
	return Lane{Name: clientName, Bars: slices.Concat(unseenBars(o), admissionBars(o), callBars(o))}
}

// unseenBars stand for the attempts of a client that does not report them.
func unseenBars(o *timeline.Operation) []Bar {
	if !blind(o) {
		return nil
	}
	return []Bar{{Kind: Unseen, ToMs: o.DurationMs, Labels: []string{"does not report its attempts", "not reported"}, Beside: []string{"does not report its attempts"}}}
}

func admissionBars(o *timeline.Operation) []Bar {
	if a := o.Admission; a != nil {
		return []Bar{{Kind: Queued, FromMs: a.FromMs, ToMs: a.ToMs, Open: a.Open, Labels: []string{"waits for a slot", "queue"}}}
	}
	return nil
}

// callBars are the attempts and the pauses between them.
func callBars(o *timeline.Operation) []Bar {
	var bars []Bar
	for _, a := range o.Attempts {
		bars = append(bars, AttemptBars(BeforePause(a, o), o.Client == "")...)
	}
	return append(bars, pauseBars(o)...)
}

// BeforePause is an attempt that ends when the pause after it begins: a client
// may tell its end only when the whole call is over.
func BeforePause(a timeline.Attempt, o *timeline.Operation) timeline.Attempt {
	for _, p := range o.Backoffs {
		if p.After == a.N && p.FromMs >= a.FromMs && p.FromMs < a.ToMs {
			a.ToMs, a.Open = p.FromMs, false
		}
	}
	return a
}

func pauseBars(o *timeline.Operation) []Bar {
	var bars []Bar
	for _, p := range o.Backoffs {
		long, cutShort := fmt.Sprintf("pause %s", wording.MsText(p.PlannedMs)), []string(nil)
		if !p.Finished {
			long = fmt.Sprintf("pause %s of %s", wording.MsText(p.ToMs-p.FromMs), wording.MsText(p.PlannedMs))
			cutShort = []string{long}
		}
		bars = append(bars, Bar{Kind: Pausing, FromMs: p.FromMs, ToMs: p.ToMs, Open: p.Open, Labels: []string{long, "pause", wording.MsText(p.PlannedMs)}, Beside: cutShort})
	}
	return bars
}

// AttemptBars cut an attempt into waiting for a connection, writing the request,
// waiting for the response head, and reading the body. The longest part carries
// its name. own tells a client that the bench has instrumented.
func AttemptBars(a timeline.Attempt, own bool) []Bar {
	sent := sending(a)
	headed := max(headedMs(a), sent.to)
	written := sent.to
	if len(a.Exchanges) < 2 { // else that of another request
		written = writtenMs(a, own, sent.to, headed)
	}
	parts := []Bar{
		attemptBar(sent.kind, a.N, a.FromMs, sent.to, sent.doing),
		attemptBar(Writing, a.N, sent.to, written, BarWords[Writing]),
		attemptBar(Requesting, a.N, written, headed, BarWords[Requesting]),
		attemptBar(Reading, a.N, headed, a.ToMs, BarWords[Reading]),
	}
	parts = nonEmpty(parts)
	if n := len(parts); n > 0 {
		parts[n-1].Open = a.Open
	}
	return nameLongest(parts)
}

// lead is what an attempt does until it has what it needs to send its request.
type lead struct {
	kind  BarKind
	to    float64
	doing string
}

// sending ends when the attempt has a connection. Of a client that does not
// tell, the server alone knows when its request was there, if it ever was.
func sending(a timeline.Attempt) lead {
	unseen := lead{Unseen, a.FromMs, "no request at the server"}
	switch {
	case a.Connection != nil:
		return lead{Connecting, min(a.Connection.ToMs, a.ToMs), BarWords[Connecting]}
	case len(a.Exchanges) > 0 && a.Exchanges[0].StartMs > a.FromMs+noticeableMs:
		unseen.to = min(a.Exchanges[0].StartMs, a.ToMs)
	case len(a.Exchanges) == 0 && a.HeadersMs == nil:
		unseen.to = a.ToMs
	}
	return unseen
}

// headedMs is when the head was read of the answer to the last request: a
// redirect's is not what a client waits for.
func headedMs(a timeline.Attempt) float64 {
	if n := len(a.Exchanges); a.HeadersMs == nil || n > 1 && a.Exchanges[n-1].StartMs > *a.HeadersMs {
		return a.ToMs
	}
	return *a.HeadersMs
}

// writtenMs is when the request was written; never, where an instrumented client
// did not get to its end. Others do not tell.
func writtenMs(a timeline.Attempt, own bool, connected, headed float64) float64 {
	switch {
	case a.WrittenMs != nil:
		return min(max(*a.WrittenMs, connected), headed)
	case own && a.Connection != nil:
		return headed
	}
	return connected
}

func attemptBar(kind BarKind, n int, from, to float64, doing string) Bar {
	name := fmt.Sprintf("attempt %d", n)
	return Bar{Kind: kind, FromMs: from, ToMs: to, Labels: []string{name + ": " + doing, name, fmt.Sprint(n)}, Beside: []string{name}}
}

func nonEmpty(bars []Bar) []Bar {
	kept := bars[:0]
	for _, b := range bars {
		if b.ToMs > b.FromMs || b.Open {
			kept = append(kept, b)
		}
	}
	return kept
}

func nameLongest(bars []Bar) []Bar {
	longest := 0
	for i, b := range bars {
		if b.ToMs-b.FromMs > bars[longest].ToMs-bars[longest].FromMs {
			longest = i
		}
	}
	for i := range bars {
		if i != longest {
			bars[i].Labels, bars[i].Beside = nil, nil
		}
	}
	return bars
}

// StopLane marks who gave up when: limits of attempts, the deadline, the caller.
func StopLane(o *timeline.Operation) Lane {
	lane := Lane{Name: stopName}
	for _, a := range o.Attempts {
		if a.End == eventlog.AttemptTimedOut {
			lane.Marks = append(lane.Marks, Mark{Kind: GaveUp, AtMs: a.ToMs, Label: limitText(a)})
		}
	}
	if o.Stop != nil {
		lane.Marks = append(lane.Marks, Mark{Kind: GaveUp, AtMs: o.Stop.RequestedMs, Label: stopText[o.Stop.By]})
	}
	return lane
}

var stopText = map[string]string{"deadline": "deadline", "cancel": "the caller cancels", "cap": "the bench's hard cap"}

func limitText(a timeline.Attempt) string {
	if a.Limit == "" {
		return "attempt timeout"
	}
	return a.Limit
}

// serverLanes put requests that overlap in time under each other.
func serverLanes(o *timeline.Operation, marks func(Exchange) []Mark) []Lane {
	lanes := []Lane{{Name: serverName}}
	for _, e := range Exchanges(o) {
		place := 0
		for place < len(lanes) && overlaps(lanes[place].Bars, e.StartMs) {
			place++
		}
		if place == len(lanes) {
			lanes = append(lanes, Lane{})
		}
		lanes[place].Bars = append(lanes[place].Bars, ExchangeBars(e)...)
		lanes[place].Marks = append(lanes[place].Marks, marks(e)...)
	}
	return lanes
}

func overlaps(bars []Bar, from float64) bool {
	for _, b := range bars {
		if b.Open || b.ToMs > from {
			return true
		}
	}
	return false
}
