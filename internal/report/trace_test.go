package report

import (
	"bytes"
	"encoding/json"
	"testing"

	"github.com/deadlinelab/deadlinelab/internal/timeline"
)

func traced(t *testing.T, list ...*timeline.Operation) []traceEvent {
	t.Helper()
	var b bytes.Buffer
	if err := Write("trace", &b, Input{Summary: &Summary{}, Operations: list}); err != nil {
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

// What a viewer relies on: threads belong to a named process, spans of one
// thread nest, every flow starts once and ends once later, inside of spans.
func TestTraceStructure(t *testing.T) {
	events := traced(t, slowHeadersB().Operation, slowHeadersD().Operation, semaphoreC().Operation, hangG().Operation, transientD().Operation, slotHolder())
	spans, named := map[track][]traceEvent{}, map[track]bool{}
	starts, ends := map[int]traceEvent{}, map[int]traceEvent{}
	for _, e := range events {
		at := track{e.Pid, e.Tid}
		switch e.Phase {
		case "M":
			named[at] = true
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
		if e.Pid != traceClient && e.Pid != traceServer {
			t.Errorf("%q is in process %d", e.Name, e.Pid)
		}
	}
	for at, list := range spans {
		if !named[at] {
			t.Errorf("thread %v has no name", at)
		}
		nested(t, list)
	}
	if len(starts) != 3+2+2*1+1+2*2 || len(ends) != len(starts) {
		t.Errorf("%d flows start and %d end", len(starts), len(ends))
	}
	for id, s := range starts {
		f := ends[id]
		if f.Ts < s.Ts || f.Pid == s.Pid || f.Name != s.Name {
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
		if s.Ts <= e.Ts && e.Ts <= s.Ts+*s.Duration+0.002 {
			return
		}
	}
	t.Errorf("%s %q at %g is in no span", e.Phase, e.Name, e.Ts)
}

// Operations keep their distance: t0 counts from the first of the run.
func TestTraceClock(t *testing.T) {
	first, second := semaphoreC().Operation, semaphoreC().Operation
	first.T0Ns, second.T0Ns = 5_000_000, 7_500_000
	var at []float64
	for _, e := range traced(t, second, first) {
		if e.Phase == "X" && e.Category == "measured" {
			at = append(at, e.Ts)
		}
	}
	if len(at) != 2 || at[0] != 2500 || at[1] != 0 {
		t.Errorf("operations start at %v µs", at)
	}
}
