package report

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
	"testing"

	"github.com/deadlinelab/deadlinelab/internal/eventlog"
	"github.com/deadlinelab/deadlinelab/internal/fixture"
	"github.com/deadlinelab/deadlinelab/internal/timeline"
	"github.com/deadlinelab/deadlinelab/internal/verdict"
	"github.com/deadlinelab/deadlinelab/internal/view"
	"github.com/deadlinelab/deadlinelab/internal/wording"
)

func traced(t *testing.T, list ...*timeline.Operation) []traceEvent {
	t.Helper()
	var b bytes.Buffer
	if err := Write("trace", &b, view.Input{Summary: &verdict.Summary{}, Operations: list}); err != nil {
		t.Fatal(err)
	}
	var out struct {
		Unit   string       `json:"displayTimeUnit"`
		Events []traceEvent `json:"traceEvents"`
	}
	d := json.NewDecoder(&b)
	d.DisallowUnknownFields()
	if err := d.Decode(&out); err != nil {
		t.Fatal(err)
	}
	if out.Unit != "ms" {
		t.Errorf("unit %q", out.Unit)
	}
	return out.Events
}

type track struct{ pid, tid int }

// What a viewer relies on: processes and threads have a name and a place before
// anything is in them, spans of one thread nest, every flow starts once and ends
// once, not earlier, inside of spans.
func TestTraceStructure(t *testing.T) {
	events := traced(t, fixture.SlowHeadersB().Operation, fixture.SlowHeadersD().Operation, fixture.SemaphoreC().Operation, fixture.HangG().Operation, fixture.TransientD().Operation, fixture.SlotHolder())
	spans, named := map[track][]traceEvent{}, map[track][]string{}
	starts, ends := map[int]traceEvent{}, map[int]traceEvent{}
	for _, e := range events {
		at := track{e.Pid, e.Tid}
		switch e.Phase {
		case "M":
			named[at] = append(named[at], e.Name)
		case "X":
			spans[at] = append(spans[at], e)
		case "s":
			starts[e.ID] = e
		case "f":
			ends[e.ID] = e
		case "i":
		default:
			t.Errorf("phase %q", e.Phase)
		}
		if whole := (track{e.Pid, 0}); e.Phase != "M" && !slices.Equal(named[whole], []string{"process_name", "process_sort_index"}) {
			t.Errorf("%q is in process %d, which has %q", e.Name, e.Pid, named[whole])
		}
	}
	for at, list := range spans {
		if !slices.Equal(named[at], []string{"thread_name", "thread_sort_index"}) {
			t.Errorf("thread %v has %q", at, named[at])
		}
		nested(t, list)
	}
	if len(starts) != 3+2+2*1+1+2*2 || len(ends) != len(starts) {
		t.Errorf("%d flows start and %d end", len(starts), len(ends))
	}
	for id, s := range starts {
		f := ends[id]
		if f.Ts < s.Ts || f.Pid != s.Pid || f.Tid == s.Tid || f.Name != s.Name {
			t.Errorf("flow %d: from %+v to %+v", id, s, f)
		}
		inside(t, s, spans)
		inside(t, f, spans)
	}
}

func nested(t *testing.T, list []traceEvent) {
	t.Helper()
	for i, a := range list {
		for _, b := range list[i+1:] {
			from, to := max(a.Ts, b.Ts), min(a.Ts+*a.Duration, b.Ts+*b.Duration)
			if overlap := to - from; overlap > 0.001 && !near(overlap, *a.Duration) && !near(overlap, *b.Duration) {
				t.Errorf("%q (%g+%g) and %q (%g+%g) overlap without nesting", a.Name, a.Ts, *a.Duration, b.Name, b.Ts, *b.Duration)
			}
		}
	}
}

// near is equal to the nanosecond.
func near(a, b float64) bool { return a-b < 0.002 && b-a < 0.002 }

func inside(t *testing.T, e traceEvent, spans map[track][]traceEvent) {
	t.Helper()
	for _, s := range spans[track{e.Pid, e.Tid}] {
		if s.Ts <= e.Ts && e.Ts < s.Ts+*s.Duration {
			return
		}
	}
	t.Errorf("%s %q at %g is in no span", e.Phase, e.Name, e.Ts)
}

// Operations keep their distance: t0 counts from the first of the run.
func TestTraceClock(t *testing.T) {
	first, second := fixture.SemaphoreC().Operation, fixture.SemaphoreC().Operation
	first.T0Ns, second.T0Ns = 5_000_000, 7_500_000
	var at []float64
	for _, e := range traced(t, second, first) {
		if e.Phase == "X" && e.Category == "measured" {
			at = append(at, e.Ts)
		}
	}
	if !slices.Equal(at, []float64{0, 2500}) {
		t.Errorf("operations start at %v µs", at)
	}
}

// lanes lists the processes and threads of a trace, with their places.
func lanes(events []traceEvent) (list []string) {
	for i, e := range events {
		if e.Name == "process_name" || e.Name == "thread_name" {
			list = append(list, fmt.Sprintf("%v %d/%d at %v", e.Args["name"], e.Pid, e.Tid, events[i+1].Args["sort_index"]))
		}
	}
	return list
}

// Cells stand in the order of the report, operations in that of their t0, the
// server below its client; no thread has the number of a process.
func TestTraceOrder(t *testing.T) {
	early, late, other := fixture.SlowHeadersD().Operation, fixture.SlowHeadersD().Operation, fixture.SemaphoreC().Operation
	early.Op, late.Op, other.Op = "slow_headers-r1-D-m0002", "slow_headers-r1-D-m0001", "semaphore_wait-r1-C-m0001"
	early.T0Ns, late.T0Ns, other.T0Ns = 2, 3, 1
	early.Scenario, late.Scenario, other.Scenario = "slow_headers", "slow_headers", "semaphore_wait"
	var b bytes.Buffer
	in := view.Input{Summary: &verdict.Summary{Series: []verdict.Series{{}, {}}}, Operations: []*timeline.Operation{late, other, early}}
	in.Summary.Series[0].Series = timeline.Series{Scenario: "not_run", Variant: "operation_deadline", Label: "D"}
	in.Summary.Series[1].Series = timeline.Series{Scenario: "slow_headers", Variant: "operation_deadline", Label: "D"}
	if err := Write("trace", &b, in); err != nil {
		t.Fatal(err)
	}
	var out struct {
		Events []traceEvent `json:"traceEvents"`
	}
	if err := json.Unmarshal(b.Bytes(), &out); err != nil {
		t.Fatal(err)
	}
	want := []string{
		"slow_headers D operation_deadline 1/0 at 1", "semaphore_wait C deadline_after_admission 2/0 at 2",
		"r1-C-m0001 client 2/3 at 3", "r1-C-m0001 server 2/4 at 4",
		"r1-D-m0002 client 1/5 at 5", "r1-D-m0002 server 1/6 at 6", "r1-D-m0002 server 2 1/7 at 7",
		"r1-D-m0001 client 1/8 at 8", "r1-D-m0001 server 1/9 at 9", "r1-D-m0001 server 2 1/10 at 10",
	}
	if got := lanes(out.Events); !slices.Equal(got, want) {
		t.Errorf("got  %q\nwant %q", got, want)
	}
}

// Who sends notes it when the call that sends has returned: the receipt may
// come before. The arrow starts no later than it ends, and lies inside of both
// spans where it stands at their very end.
func TestTraceArrows(t *testing.T) {
	o := fixture.TransientD().Operation
	a := &o.Attempts[0]
	e := &a.Exchanges[0]
	sent, got, end := *a.HeadersMs+0.2, *a.HeadersMs, *a.HeadersMs+0.2
	a.HeadersMs, e.HeadersMs, e.BodyMs, e.HandlerEndMs = &got, &sent, nil, &end
	a.ToMs = got
	spans := map[track][]traceEvent{}
	var arrows []traceEvent
	for _, e := range traced(t, o) {
		switch e.Phase {
		case "X":
			spans[track{e.Pid, e.Tid}] = append(spans[track{e.Pid, e.Tid}], e)
		case "s", "f":
			arrows = append(arrows, e)
		}
	}
	if len(arrows) == 0 {
		t.Fatal("no arrows")
	}
	for i, e := range arrows {
		inside(t, e, spans)
		if e.Phase == "f" && arrows[i-1].Ts > e.Ts {
			t.Errorf("%q goes from %g back to %g", e.Name, arrows[i-1].Ts, e.Ts)
		}
	}
}

// The colour of an operation is its promise; a call that stands in the way of
// another promises nothing, and is named for what it holds.
func TestTraceColors(t *testing.T) {
	for want, o := range map[string]*timeline.Operation{
		"rail_load": fixture.TransientD().Operation, "rail_response": fixture.SlowHeadersD().Operation, "rail_idle": fixture.SemaphoreC().Operation, "detailed_memory_dump": fixture.HangG().Operation, "": fixture.SlotHolder(),
	} {
		var names []string
		color := "no operation"
		for _, e := range traced(t, o) {
			if e.Phase == "X" && e.Category == string(o.Phase) {
				color = e.Color
			}
			names = append(names, e.Name)
		}
		if color != want {
			t.Errorf("%s: %q, expected %q", o.Op, color, want)
		}
		if holds := slices.Contains(names, "another call holds the only slot"); holds != (o.Phase == eventlog.Helper) {
			t.Errorf("%s: a slot is held: %v", o.Op, holds)
		}
	}
}

// Nor is its dot that of a call in time, nor what the trace says of it.
func TestUnsureInPictures(t *testing.T) {
	if got := operationArgs(fixture.TooLong())["promise"]; got != wording.Unsure {
		t.Errorf("%v in the trace", got)
	}
}
