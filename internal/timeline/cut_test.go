package timeline_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/deadlinelab/deadlinelab/internal/eventlog"
	"github.com/deadlinelab/deadlinelab/internal/timeline"
)

// cutOff is a run that was killed at about 900 ms: o had finished before, p had
// not, and of q only the server had written anything.
const cutOff = `
	s   0    log_opened              op= of_scenario=slow
	c   0    operation_started
	c   0    attempt_started         @1
	c   0.1  connection_acquired     @1 conn=c1
	s   1    server_request_started  #1 conn=c1
	s  21    server_handler_finished #1
	c  22    attempt_finished        @1
	c  22    operation_finished      outcome=success
	c 890    operation_started       op=p
	c 890    attempt_started         op=p @1
	s 891    server_request_started  op=p #1 conn=c2
	s 893    server_request_started  op=q #1 conn=c3
`

func cut(t *testing.T, text string, tallies ...timeline.Tally) *timeline.Run {
	t.Helper()
	in := history(t, text)
	in.Cut, in.Tallies = true, tallies
	in.Planned = []timeline.Cell{{Scenario: "slow", Variant: "operation_deadline", Label: "D", Planned: 3, BudgetMs: 1000}}
	return timeline.Merge(in)
}

// What had finished counts, and what the end of the run left half done is no
// problem; the same logs of a run that claims to be complete are full of them.
func TestCutOffRun(t *testing.T) {
	run := cut(t, cutOff)
	if len(run.Problems) != 0 || !run.Valid {
		t.Errorf("valid %t, problems %v", run.Valid, run.Problems)
	}
	if o, p := run.Operation("o"), run.Operation("p"); !o.Valid || !o.Finished || p.Finished || run.Operation("q") != nil {
		t.Errorf("o %+v\np %+v", o, p)
	}
	series := timeline.Summarize(run, nil)
	if len(series) != 1 || series[0].N != 1 || series[0].Planned != 3 {
		t.Errorf("%+v", series)
	}
	complete, _ := merged(t, cutOff)
	if len(complete.Problems) == 0 {
		t.Error("the logs of a complete run may not stop like this")
	}
}

// An operation that ended after its server's log is counted as finished, but
// how often the server was asked is not known: it is not valid.
func TestFinishedBeyondTheServersLog(t *testing.T) {
	after := cutOff + "c 900 attempt_failed op=p @1\n c 900 operation_finished op=p outcome=transport_error"
	run := cut(t, after)
	p := run.Operation("p")
	if !p.Finished || p.Valid || !strings.Contains(strings.Join(p.Reasons, "; "), "cut off") {
		t.Errorf("finished %t, valid %t, %q", p.Finished, p.Valid, p.Reasons)
	}
	if s := timeline.Summarize(run, nil)[0]; s.N != 1 || s.Invalid != 1 {
		t.Errorf("n %d, invalid %d", s.N, s.Invalid)
	}
	// The tally of an interrupted run proves that the log is whole.
	whole := cut(t, strings.ReplaceAll(after, "c 890 attempt_started op=p @1", "c 890 attempt_started op=p @1\n c 890 connection_acquired op=p @1 conn=c2"),
		timeline.Tally{Side: "server", Experiment: "x", LastSeq: 5})
	if p := whole.Operation("p"); strings.Contains(strings.Join(p.Reasons, "; "), "cut off") {
		t.Errorf("%q", p.Reasons)
	}
}

// A server that is told to end breaks off what it serves, and its log goes on for
// a while: an operation that ended meanwhile says nothing of its client.
func TestFinishedWhileTheServerEnds(t *testing.T) {
	run := cut(t, cutOff+`
		s 900   experiment_ended         op=
		s 900.2 server_handler_finished  op=p #1
		c 900.1 attempt_failed           op=p @1
		c 900.1 operation_finished       op=p outcome=transport_error
		s 901   connection_closed        op= conn=c2`)
	if o, p := run.Operation("o"), run.Operation("p"); !o.Valid || !p.Finished || p.Valid || !strings.Contains(strings.Join(p.Reasons, "; "), "cut off") {
		t.Errorf("o valid %t, p finished %t, valid %t, %q", o.Valid, p.Finished, p.Valid, p.Reasons)
	}
	if s := timeline.Summarize(run, nil)[0]; s.N != 1 || s.Invalid != 1 {
		t.Errorf("n %d, invalid %d", s.N, s.Invalid)
	}
}

// A probe that ended after its server's log has met nobody knows what.
func TestProbeBeyondTheServersLog(t *testing.T) {
	text := cutOff + "c 892 leaks_counted op=\n c 892 operation_started op=z phase=probe\n c %s operation_finished op=z outcome=connect_error"
	for end, want := range map[string]eventlog.Outcome{"892.5": eventlog.ConnectError, "895": ""} {
		in := history(t, strings.ReplaceAll(text, "%s", end))
		in.Cut = true
		in.Planned = []timeline.Cell{{Scenario: "slow", Variant: "operation_deadline", Label: "D", Planned: 3, BudgetMs: 1000}}
		in.Client[slices.IndexFunc(in.Client, func(e eventlog.Event) bool { return e.Kind == eventlog.LeaksCounted })].Leaks = &eventlog.Leaks{Scenario: "slow", Variant: "operation_deadline", Probe: "z"}
		if got := timeline.Summarize(timeline.Merge(in), nil)[0].Leaks; got.Probe != want || (got.ProbeMs == nil) != (want == "") {
			t.Errorf("ended at %s ms: %+v, want %q", end, got, want)
		}
	}
}

// That a fault never fired is known only beyond the bound of the clocks.
func TestNeverFiredBeyondTheBound(t *testing.T) {
	in := history(t, asked+"c 30 attempt_timed_out @1\n s 500 server_handler_finished #1\n c 31 operation_finished outcome=attempt_timeout")
	for bound, valid := range map[int64]bool{0: false, 3e6: false, 5e6: true} {
		in.BoundNs = bound
		if op := timeline.Merge(in).Operation("o"); op.Valid != valid {
			t.Errorf("bound %d ns: valid %t, %q", bound, op.Valid, op.Reasons)
		}
	}
}

// A run that was killed before its first event has nothing, and no problem.
func TestCutOffBeforeTheFirstEvent(t *testing.T) {
	run := cut(t, "")
	if len(run.Operations) != 0 || len(run.Problems) != 0 {
		t.Errorf("%+v", run)
	}
}
