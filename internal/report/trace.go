package report

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math"
	"strings"

	"github.com/deadlinelab/deadlinelab/internal/timeline"
)

func init() { Register("trace", writeTrace) }

// The two processes of a trace.
const (
	traceClient = 1
	traceServer = 2
)

// traceEvent is one event of the Chrome trace-event format. Times are
// microseconds from the first operation's t0.
type traceEvent struct {
	Name     string         `json:"name"`
	Category string         `json:"cat,omitempty"`
	Phase    string         `json:"ph"` // X a span, i an instant, s and f the ends of a flow, M a name
	Ts       float64        `json:"ts"`
	Duration *float64       `json:"dur,omitempty"`
	Pid      int            `json:"pid"`
	Tid      int            `json:"tid"`
	ID       int            `json:"id,omitempty"` // of a flow
	Binding  string         `json:"bp,omitempty"` // e: the flow ends at the span around it
	Scope    string         `json:"s,omitempty"`  // t: an instant of its thread
	Args     map[string]any `json:"args,omitempty"`
}

// writeTrace writes all operations of a run for Perfetto or chrome://tracing:
// client and server as processes, each operation a thread, each request and
// its headers an arrow between the two.
func writeTrace(b *bytes.Buffer, in Input) error {
	t := &trace{startNs: earliest(in.Operations)}
	t.name("process_name", traceClient, 0, "client")
	t.name("process_name", traceServer, 0, "server")
	for _, o := range in.Operations {
		t.operation(o)
	}
	e := json.NewEncoder(b)
	return e.Encode(struct {
		Unit   string       `json:"displayTimeUnit"`
		Events []traceEvent `json:"traceEvents"`
	}{"ms", t.events})
}

func earliest(list []*timeline.Operation) int64 {
	var start int64
	for i, o := range list {
		if i == 0 || o.T0Ns < start {
			start = o.T0Ns
		}
	}
	return start
}

type trace struct {
	startNs int64
	events  []traceEvent
	flows   int
	threads int
}

// thread is one operation in one process.
type thread struct {
	trace    *trace
	pid, tid int
	t0Us     float64
}

func (t *trace) name(kind string, pid, tid int, name string) {
	t.events = append(t.events, traceEvent{Name: kind, Phase: "M", Pid: pid, Tid: tid, Args: map[string]any{"name": plain(name)}})
}

func (t *trace) operation(o *timeline.Operation) {
	c := t.thread(traceClient, o)
	args := map[string]any{"op": plain(o.Op), "outcome": o.Outcome, "promise": o.Promise, "budget_ms": o.BudgetMs, "overshoot_ms": o.Overshoot, "valid": o.Valid, "disturbed": o.Disturbed}
	if o.NetMs != nil {
		args["net_ms"] = *o.NetMs
		args["net_of"] = strings.TrimPrefix(netOfOwn(o), ", ")
	}
	if o.UnreportedBecause != "" {
		args["unreported"] = o.UnreportedBecause
	}
	c.span(plain(o.Scenario)+" "+fullName(o.Label, o.Variant), string(o.Phase), 0, o.DurationMs, args)
	if a := o.Admission; a != nil {
		c.span("waits for a slot", "admission", a.FromMs, a.ToMs, nil)
	}
	for _, p := range o.Backoffs {
		c.span("pause", "backoff", p.FromMs, p.ToMs, map[string]any{"planned_ms": p.PlannedMs})
	}
	for _, a := range o.Attempts {
		c.attempt(a)
	}
	c.moments(o)
	t.server(c, o)
}

// server puts requests that overlap on threads of their own, since spans of
// one thread must nest.
func (t *trace) server(c thread, o *timeline.Operation) {
	var lanes []thread
	var busy []float64 // until when each lane is
	for _, e := range exchanges(o) {
		place := 0
		for place < len(lanes) && busy[place] > e.StartMs {
			place++
		}
		if place == len(lanes) {
			lanes, busy = append(lanes, t.thread(traceServer, o)), append(busy, 0)
		}
		end, _ := e.end()
		busy[place] = max(busy[place], end)
		lanes[place].exchange(e)
		t.connect(c, lanes[place], o, e)
	}
}

// thread opens a thread of a process for an operation.
func (t *trace) thread(pid int, o *timeline.Operation) thread {
	t.threads++
	t.name("thread_name", pid, t.threads, o.Op)
	return thread{t, pid, t.threads, float64(o.T0Ns-t.startNs) / 1e3}
}

func (t thread) us(ms float64) float64 { return wholeNs(t.t0Us + ms*1e3) }

// wholeNs rounds microseconds to what the logs know.
func wholeNs(us float64) float64 { return math.Round(us*1e3) / 1e3 }

func (t thread) span(name, category string, from, to float64, args map[string]any) {
	length := wholeNs(max(0, to-from) * 1e3)
	t.trace.events = append(t.trace.events, traceEvent{Name: name, Category: category, Phase: "X", Ts: t.us(from), Duration: &length, Pid: t.pid, Tid: t.tid, Args: args})
}

func (t thread) instant(name string, ms float64) {
	t.trace.events = append(t.trace.events, traceEvent{Name: plain(name), Category: "moment", Phase: "i", Ts: t.us(ms), Pid: t.pid, Tid: t.tid, Scope: "t"})
}

func (t thread) attempt(a timeline.Attempt) {
	args := map[string]any{"end": a.End}
	if a.Limit != "" {
		args["limit"] = a.Limit
	}
	if a.Status != 0 {
		args["status"] = a.Status
	}
	t.span(fmt.Sprintf("attempt %d", a.N), "attempt", a.FromMs, a.ToMs, args)
	for _, part := range attemptParts(a) {
		t.span(barWords[part.Kind], "attempt", part.FromMs, part.ToMs, nil)
	}
}

// moments are the lines of the drawing: the deadline, who gave up, the return.
func (t thread) moments(o *timeline.Operation) {
	t.instant("the caller's deadline", o.BudgetMs)
	for _, m := range append(stopLane(o).Marks, callerLane(o).Marks...) {
		t.instant(markText(m), m.AtMs)
	}
}

func (t thread) exchange(e exchange) {
	for _, bar := range exchangeBars(e) {
		name := barWords[bar.Kind]
		if bar.Kind == ForNobody {
			name = "works on for nobody"
		}
		t.span(name, "exchange", bar.FromMs, bar.ToMs, map[string]any{"exchange": e.N, "status": e.Status})
	}
	for _, m := range exchangeMarks(e) {
		t.instant(m.Label, m.AtMs)
	}
}

// connect draws the arrows of an exchange: its request from written to
// arrived, its headers from sent to received. Where the transport replayed a
// request, the attempt's own moments are those of the last one.
func (t *trace) connect(c, s thread, o *timeline.Operation, e exchange) {
	for _, a := range o.Attempts {
		if n := len(a.Exchanges); n == 0 || a.Exchanges[n-1].N != e.N {
			continue
		}
		if a.WrittenMs != nil {
			t.flow("request", c, *a.WrittenMs, s, e.StartMs)
		}
		if a.HeadersMs != nil && e.HeadersMs != nil {
			t.flow("headers", s, *e.HeadersMs, c, *a.HeadersMs)
		}
	}
}

func (t *trace) flow(name string, from thread, fromMs float64, to thread, toMs float64) {
	t.flows++
	t.events = append(t.events,
		traceEvent{Name: name, Category: "flow", Phase: "s", Ts: from.us(fromMs), Pid: from.pid, Tid: from.tid, ID: t.flows},
		traceEvent{Name: name, Category: "flow", Phase: "f", Binding: "e", Ts: to.us(toMs), Pid: to.pid, Tid: to.tid, ID: t.flows})
}
