package timeline_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/deadlinelab/deadlinelab/internal/eventlog"
	"github.com/deadlinelab/deadlinelab/internal/timeline"
)

// caller writes one caller of group g: attempts at those milliseconds, each of
// 1 ms with one exchange, and the end at the last.
func caller(group string, n int, outcome string, attempts ...float64) string {
	var b strings.Builder
	op := fmt.Sprintf("op=%sc%02d", group, n)
	fmt.Fprintf(&b, "c 0 operation_started %s group=%s caller=%d\n", op, group, n)
	for i, t := range attempts {
		fmt.Fprintf(&b, "c %s attempt_started %s @%d\n", trim(t), op, i+1)
		fmt.Fprintf(&b, "s %s server_request_started %s #%d @%d\n", trim(t), op, i+1, i+1)
		fmt.Fprintf(&b, "s %s server_handler_finished %s #%d @%d\n", trim(t), op, i+1, i+1)
		fmt.Fprintf(&b, "c %s attempt_finished %s @%d\n", trim(t+1), op, i+1)
	}
	fmt.Fprintf(&b, "c %s operation_finished %s outcome=%s\n", trim(attempts[len(attempts)-1]+1), op, outcome)
	return b.String()
}

// inTime orders the lines of a written history by their times.
func inTime(t *testing.T, text string) timeline.Input {
	t.Helper()
	in := history(t, text)
	for _, log := range []*[]eventlog.Event{&in.Client, &in.Server} {
		sortByTime(*log)
	}
	return in
}

func sortByTime(events []eventlog.Event) {
	for i := 1; i < len(events); i++ {
		for j := i; j > 0 && events[j].TNs < events[j-1].TNs; j-- {
			events[j], events[j-1] = events[j-1], events[j]
		}
	}
	for i := range events {
		events[i].Seq = uint64(i + 1)
	}
}

// Two groups: three callers with two attempts each, and two callers with one.
// Retries at 100, 109.9 and 110 ms: no window of 10 ms holds all three.
func TestGroups(t *testing.T) {
	in := inTime(t, caller("a", 1, "success", 0, 100)+caller("a", 2, "success", 0, 109.9)+caller("a", 3, "success", 0, 110)+
		caller("b", 1, "success", 5)+caller("b", 2, "success", 14))
	run := timeline.Merge(in)
	if len(run.Problems) > 0 {
		t.Fatal(run.Problems)
	}
	s := only(t, run)
	if s.N != 5 || *s.Amplification != 1.6 || *s.PeakArrivals != 3 || *s.PeakRetryArrivals != 2 {
		t.Errorf("n %d, %v requests per operation, peaks %d and %d", s.N, *s.Amplification, *s.PeakArrivals, *s.PeakRetryArrivals)
	}
	if diff := cmp.Diff(map[string]int{"6": 1, "2": 1}, s.GroupRequests); diff != "" {
		t.Error(diff)
	}
	// of 101, 110.9 and 111 ms, and of 6 and 15
	if diff := cmp.Diff(&timeline.CallersMs{Least: 53.5, Most: 63}, s.CallersMs); diff != "" {
		t.Error(diff)
	}
	if op := run.Operation("ac03"); op.Group != "a" || op.Caller != 3 {
		t.Errorf("%+v", op)
	}
}

// A group that lacks a caller is no group, and counts in no figure of groups.
func TestBrokenGroup(t *testing.T) {
	in := inTime(t, caller("a", 1, "success", 0, 100)+caller("a", 2, "success", 0)+caller("b", 1, "success", 5)+`
	c 0 operation_started op=ac03 group=a caller=3`)
	s := only(t, timeline.Merge(in))
	if diff := cmp.Diff(map[string]int{"1": 1}, s.GroupRequests); diff != "" || s.N != 3 || *s.Amplification != 1 || *s.PeakArrivals != 1 {
		t.Errorf("%s, %+v", diff, s)
	}
}

// A caller of its own has no group's figures.
func TestNoGroup(t *testing.T) {
	run, _ := merged(t, "c 0 operation_started\nc 5 operation_finished outcome=success")
	if s := only(t, run); s.Amplification != nil || s.PeakArrivals != nil || s.GroupRequests != nil || s.Commits != nil || s.Leaks != nil {
		t.Errorf("%+v", s)
	}
}

// What a helper of a group held counts for every caller.
func TestHelperOfGroup(t *testing.T) {
	in := inTime(t, caller("a", 1, "success", 20)+caller("a", 2, "success", 20)+`
	c -1 operation_started op=h phase=helper for=ac01
	s 1 server_request_started op=h #1
	s 1 gate_held op=h #1
	s 19 gate_released op=h #1 due=10 late_ms=9
	s 19 server_handler_finished op=h #1
	c 19 operation_finished op=h outcome=success`)
	run := timeline.Merge(in)
	for _, id := range []string{"ac01", "ac02"} {
		if op := run.Operation(id); op.Valid || *op.FaultLateMs != 9 {
			t.Errorf("%s: valid %t, late %v", id, op.Valid, op.FaultLateMs)
		}
	}
}

// Commits after the end count; what the caller was told is set against them.
func TestCommits(t *testing.T) {
	run := timeline.Merge(inTime(t, `
	c 0 operation_started op=a
	c 0 attempt_started op=a @1
	s 0 server_request_started op=a #1 @1
	c 9 attempt_timed_out op=a @1
	c 9 operation_finished op=a outcome=attempt_timeout
	s 20 effect_committed op=a #1 @1
	s 21 server_handler_finished op=a #1 @1
	c 0 operation_started op=b
	c 0 attempt_started op=b @1
	s 0 server_request_started op=b #1 @1
	c 9 attempt_timed_out op=b @1
	c 10 attempt_started op=b @2
	s 10 server_request_started op=b #2 @2
	s 20 effect_committed op=b #1 @1
	s 21 effect_committed op=b #2 @2
	c 25 attempt_finished op=b @2
	c 25 operation_finished op=b outcome=success
	s 30 server_handler_finished op=b #1 @1
	s 30 server_handler_finished op=b #2 @2
	c 0 operation_started op=c variant=other
	c 9 operation_finished op=c outcome=success`))
	all := timeline.Summarize(run, nil)
	if diff := cmp.Diff(&timeline.Commits{OnServer: 3, ReportedSuccess: 1, ReportedFailureButCommitted: 1, Duplicates: 1}, all[0].Commits); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff(map[string]int{"1": 1, "2": 1}, all[0].CommitsOfOperation); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff(&timeline.Commits{ReportedSuccess: 1}, all[1].Commits); diff != "" {
		t.Error(diff)
	}
}

// Leaks come from their event, the probe's end from the probe.
func TestLeaks(t *testing.T) {
	in := history(t, `
	c 0 operation_started
	c 5 operation_finished outcome=success
	c 205 leaks_counted op=
	c 205 operation_started op=p phase=probe
	c 207.5 operation_finished op=p outcome=success`)
	in.Client[2].Leaks = &eventlog.Leaks{Scenario: "slow", Variant: "operation_deadline", Goroutines: 4, Connections: 1, Dials: 20, Slots: 2, Handlers: 3, ServerConnections: 5, Probe: "p"}
	want := &timeline.Leaks{Goroutines: 4, Connections: 1, Dials: 20, Slots: 2, Handlers: 3, ServerConnections: 5, Probe: eventlog.Success, ProbeMs: new(2.5)}
	if diff := cmp.Diff(want, only(t, timeline.Merge(in)).Leaks); diff != "" {
		t.Error(diff)
	}
}

// The caller's own deadline is the one that counts; t0 is the call's, also
// where the deadline had passed already.
func TestCallerDeadline(t *testing.T) {
	_, op := merged(t, `
	c 0.002 operation_started t0=0 deadline=300
	c 300.5 deadline_fired cause=caller_deadline due=300
	c 301 operation_finished outcome=deadline_exceeded`)
	if op.DurationMs != 301 || op.Overshoot != 1 || op.BudgetMs != 1000 || op.Late {
		t.Errorf("%+v", op)
	}
	_, op = merged(t, `
	c 0.002 operation_started t0=0 deadline=0
	c 0.1 operation_finished outcome=deadline_exceeded`)
	if op.DurationMs != 0.1 || op.Overshoot != 0.1 || op.Late {
		t.Errorf("%+v", op)
	}
}
