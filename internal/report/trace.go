package report

import (
	"bytes"
	"cmp"
	"encoding/json"
	"math"
	"slices"

	"github.com/deadlinelab/deadlinelab/internal/textui"
	"github.com/deadlinelab/deadlinelab/internal/timeline"
	"github.com/deadlinelab/deadlinelab/internal/view"
)

func init() { Register("trace", writeTrace) }

// traceEvent is one event of the Chrome trace-event format. Times are
// microseconds from the first operation's t0.
type traceEvent struct {
	Name     string         `json:"name"`
	Category string         `json:"cat,omitempty"`
	Phase    string         `json:"ph"` // X a span, i an instant, s and f the ends of a flow, M a name or a place
	Ts       float64        `json:"ts"`
	Duration *float64       `json:"dur,omitempty"`
	Pid      int            `json:"pid"`
	Tid      int            `json:"tid"`
	ID       int            `json:"id,omitempty"`    // of a flow
	Binding  string         `json:"bp,omitempty"`    // e: the flow ends at the span around it
	Scope    string         `json:"s,omitempty"`     // t: an instant of its thread
	Color    string         `json:"cname,omitempty"` // of the viewer's own names; Perfetto has none
	Args     map[string]any `json:"args,omitempty"`
}

// writeTrace writes all operations of a run for Perfetto or chrome://tracing.
// A viewer's process is a variant in a scenario, in the order of the report; in
// it stand its operations in the order of their t0, each with a thread for the
// client and, right below, one or more for the server, so that the two ends of
// an arrow are seen at once.
func writeTrace(b *bytes.Buffer, in view.Input) error {
	list := slices.Clone(in.Operations)
	slices.SortStableFunc(list, func(x, y *timeline.Operation) int { return cmp.Compare(x.T0Ns, y.T0Ns) })
	t := newTrace(in, list)
	for _, o := range list {
		t.operation(o)
	}
	e := json.NewEncoder(b)
	return e.Encode(struct {
		Unit   string       `json:"displayTimeUnit"`
		Events []traceEvent `json:"traceEvents"`
		Wrong  []string     `json:"notWhatTheRunWrote,omitempty"`
	}{"ms", t.events, in.Summary.Mismatches})
}

// traceCell is what becomes a process.
type traceCell struct{ scenario, variant string }

type trace struct {
	startNs int64
	pids    map[traceCell]int
	events  []traceEvent
	flows   int
	threads int
}

// newTrace names a process for each cell of the report, then for those that
// only operations have. No thread has the number of a process: a viewer takes
// such a one for the process's main thread and moves it up.
func newTrace(in view.Input, list []*timeline.Operation) *trace {
	t := &trace{pids: map[traceCell]int{}, events: []traceEvent{}}
	if len(list) > 0 {
		t.startNs = list[0].T0Ns
	}
	has := map[traceCell]bool{}
	for _, o := range list {
		has[traceCell{o.Scenario, o.Variant}] = true
	}
	for _, s := range in.Summary.Series {
		if has[traceCell{s.Scenario, s.Variant}] {
			t.process(s.Scenario, s.Label, s.Variant)
		}
	}
	for _, o := range list {
		t.process(o.Scenario, o.Label, o.Variant)
	}
	t.threads = len(t.pids)
	return t
}

func (t *trace) process(scenario, label, variant string) {
	cell := traceCell{scenario, variant}
	if t.pids[cell] != 0 {
		return
	}
	pid := len(t.pids) + 1
	t.pids[cell] = pid
	t.about("process_name", pid, 0, "name", cellName(scenario, label, variant))
	t.about("process_sort_index", pid, 0, "sort_index", pid)
}

func cellName(scenario, label, variant string) string {
	return textui.Plain(scenario) + " " + textui.FullName(label, variant)
}

// about says something of a process or of a thread.
func (t *trace) about(kind string, pid, tid int, key string, value any) {
	t.events = append(t.events, traceEvent{Name: kind, Phase: "M", Pid: pid, Tid: tid, Args: map[string]any{key: value}})
}

// wholeNs rounds microseconds to what the logs know.
func wholeNs(us float64) float64 { return math.Round(us*1e3) / 1e3 }

// flow is an arrow. A side notes that it has sent something once the call that
// sends has returned, which the other side's receipt may come before: no arrow
// starts later than it ends, a viewer would drop it.
func (t *trace) flow(name string, from thread, fromMs float64, to thread, toMs float64) {
	t.flows++
	end := to.us(toMs)
	t.events = append(t.events,
		traceEvent{Name: name, Category: "flow", Phase: "s", Ts: min(from.us(fromMs), end), Pid: from.pid, Tid: from.tid, ID: t.flows},
		traceEvent{Name: name, Category: "flow", Phase: "f", Binding: "e", Ts: end, Pid: to.pid, Tid: to.tid, ID: t.flows})
}
