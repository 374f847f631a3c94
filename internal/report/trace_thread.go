package report

import (
	"fmt"
	"strings"

	"github.com/deadlinelab/deadlinelab/internal/chart"
	"github.com/deadlinelab/deadlinelab/internal/eventlog"
	"github.com/deadlinelab/deadlinelab/internal/textui"
	"github.com/deadlinelab/deadlinelab/internal/timeline"
	"github.com/deadlinelab/deadlinelab/internal/wording"
)

// thread is one lane of an operation: its client, or its server at work on one
// request after the other.
type thread struct {
	trace    *trace
	pid, tid int
	t0Us     float64
}

// thread opens a lane of an operation below those there are. The name of the
// scenario, which its process bears, is left out: there is room for twenty
// letters.
func (t *trace) thread(o *timeline.Operation, lane string) thread {
	t.threads++
	pid := t.pids[traceCell{o.Scenario, o.Variant}]
	t.about("thread_name", pid, t.threads, "name", textui.Plain(strings.TrimPrefix(o.Op, o.Scenario+"-"))+" "+lane)
	t.about("thread_sort_index", pid, t.threads, "sort_index", t.threads)
	return thread{t, pid, t.threads, float64(o.T0Ns-t.startNs) / 1e3}
}

// promiseColors are names of the viewer's own for green, blue, orange, purple
// and grey: those of the other reports.
var promiseColors = map[timeline.Promise]string{
	timeline.Kept: "rail_load", timeline.FailedInTime: "rail_response", timeline.Late: "rail_idle",
	timeline.Unbounded: "detailed_memory_dump", timeline.CancelledByCaller: "cq_build_abandoned",
}

func (t *trace) operation(o *timeline.Operation) {
	c := t.thread(o, "client")
	c.span(cellName(o.Scenario, o.Label, o.Variant), string(o.Phase), 0, o.DurationMs, operationArgs(o))
	if o.Phase == eventlog.Helper { // promises nothing to anybody
		c.bars(chart.SlotBars(o), "held")
	} else {
		t.events[len(t.events)-1].Color = promiseColors[wording.PromiseOf(o)]
	}
	if a := o.Admission; a != nil && a.ToMs > a.FromMs {
		c.span("waits for a slot", "admission", a.FromMs, a.ToMs, nil)
	}
	for _, p := range o.Backoffs {
		c.span("pause", "backoff", p.FromMs, p.ToMs, map[string]any{"planned_ms": p.PlannedMs})
	}
	for _, a := range o.Attempts {
		c.attempt(a, chart.AttemptBars(chart.BeforePause(a, o), o.Client == ""))
	}
	c.moments(o)
	t.server(c, o)
}

func operationArgs(o *timeline.Operation) map[string]any {
	args := map[string]any{"op": textui.Plain(o.Op), "outcome": o.Outcome, "promise": wording.PromiseOf(o), "budget_ms": o.BudgetMs, "overshoot_ms": o.Overshoot, "valid": o.Valid, "disturbed": o.Disturbed}
	if o.NetMs != nil {
		args["net_ms"] = *o.NetMs
		args["net_of"] = strings.TrimPrefix(chart.NetOfOwn(o), ", ")
	}
	if o.UnreportedBecause != "" {
		args["unreported"] = o.UnreportedBecause
	}
	return args
}

// server puts requests that overlap on threads of their own, since spans of
// one thread must nest.
func (t *trace) server(c thread, o *timeline.Operation) {
	var lanes []thread
	var busy []float64 // until when each lane is
	for _, e := range chart.Exchanges(o) {
		place := 0
		for place < len(lanes) && busy[place] > e.StartMs {
			place++
		}
		if place == len(lanes) {
			lanes, busy = append(lanes, t.thread(o, serverLane(place))), append(busy, 0)
		}
		end, _ := e.End()
		busy[place] = max(busy[place], end)
		lanes[place].exchange(e)
		t.connect(c, lanes[place], o, e)
	}
}

func serverLane(place int) string {
	if place == 0 {
		return "server"
	}
	return fmt.Sprintf("server %d", place+1)
}

func (t thread) us(ms float64) float64 { return wholeNs(t.t0Us + ms*1e3) }

func (t thread) span(name, category string, from, to float64, args map[string]any) {
	length := wholeNs(max(0, to-from) * 1e3)
	t.trace.events = append(t.trace.events, traceEvent{Name: name, Category: category, Phase: "X", Ts: t.us(from), Duration: &length, Pid: t.pid, Tid: t.tid, Args: args})
}

func (t thread) bars(list []chart.Bar, category string) {
	for _, bar := range list {
		t.span(bar.Labels[0], category, bar.FromMs, bar.ToMs, nil)
	}
}

func (t thread) instant(name string, ms float64) {
	t.trace.events = append(t.trace.events, traceEvent{Name: textui.Plain(name), Category: "moment", Phase: "i", Ts: t.us(ms), Pid: t.pid, Tid: t.tid, Scope: "t"})
}

func (t thread) attempt(a timeline.Attempt, parts []chart.Bar) {
	args := map[string]any{"end": a.End}
	if a.Limit != "" {
		args["limit"] = a.Limit
	}
	if a.Status != 0 {
		args["status"] = a.Status
	}
	t.span(fmt.Sprintf("attempt %d", a.N), "attempt", a.FromMs, a.ToMs, args)
	for _, part := range parts {
		t.span(chart.BarWords[part.Kind], "attempt", part.FromMs, part.ToMs, nil)
	}
}

// moments are the lines of the drawing: the deadline, who gave up, the return.
func (t thread) moments(o *timeline.Operation) {
	t.instant("the caller's deadline", o.BudgetMs)
	for _, m := range append(chart.StopLane(o).Marks, chart.CallerLane(o).Marks...) {
		t.instant(chart.MarkText(m), m.AtMs)
	}
}

func (t thread) exchange(e chart.Exchange) {
	for _, bar := range chart.ExchangeBars(e) {
		name := chart.BarWords[bar.Kind]
		if bar.Kind == chart.ForNobody {
			name = "works on for nobody"
		}
		t.span(name, "exchange", bar.FromMs, bar.ToMs, map[string]any{"exchange": e.N, "status": e.Status})
	}
	for _, m := range chart.ExchangeMarks(e) {
		t.instant(m.Label, m.AtMs)
	}
}

// connect draws the arrows of an exchange: its request from written to
// arrived, its headers from sent to received. Where the transport replayed a
// request, the attempt's own moments are those of the last one.
func (t *trace) connect(c, s thread, o *timeline.Operation, e chart.Exchange) {
	end, _ := e.End()
	served := timeline.Span{FromMs: e.StartMs, ToMs: end}
	for _, a := range o.Attempts {
		if n := len(a.Exchanges); n == 0 || a.Exchanges[n-1].N != e.N {
			continue
		}
		if a.WrittenMs != nil {
			t.flow("request", c, within(a.Span, *a.WrittenMs), s, within(served, e.StartMs))
		}
		if a.HeadersMs != nil && e.HeadersMs != nil {
			t.flow("headers", s, within(served, *e.HeadersMs), c, within(a.Span, *a.HeadersMs))
		}
	}
}

// within moves the end of an arrow from the very end of its span by a
// nanosecond: a viewer finds no span where one has just ended.
func within(s timeline.Span, ms float64) float64 { return max(s.FromMs, min(ms, s.ToMs-1e-6)) }
