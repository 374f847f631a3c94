package timeline_test

import (
	"strings"
	"testing"

	"github.com/deadlinelab/deadlinelab/internal/timeline"
)

// punctual are two more exchanges of it, whose faults fired on time.
const punctual = `
	s 100    server_request_started  #2 conn=c1
	s 100.1  fault_fired             #2 late_ms=0.1
	s 101    server_request_started  #3 conn=c1
	s 101.1  fault_fired             #3 late_ms=0.1
`

// asked is an operation with one exchange whose fault is due at 20 ms; the tests
// add what the server did with it, and the end at 900 ms.
const asked = `
	c   0    operation_started
	c   0    attempt_started         @1
	c   0.1  connection_acquired     @1 conn=c1
	s   1    server_request_started  #1 conn=c1
	s   1    fault_armed             #1 due=21
`
const answered = `
	c 900    attempt_finished        @1
	c 900    operation_finished      outcome=success
`

func TestValidity(t *testing.T) {
	for _, c := range []struct{ why, history, reason string }{
		{"The fault fired on time.",
			asked + "s 21.2 fault_fired #1 late_ms=0.2\n s 22 server_handler_finished #1" + answered, ""},
		{"The fault never fired, although the client waited and the log goes on.",
			asked + "s 500 server_handler_finished #1" + answered, "never fired"},
		{"The client left before the fault was due: nothing is owed to it.",
			asked + "s 15 server_client_gone #1 how=fin\n s 500 server_handler_finished #1" + answered, ""},
		{"The run ended before the fault was due.",
			asked + answered, ""},
		{"The client's own attempt had ended before the fault was due.",
			asked + "c 15 attempt_timed_out @1\n s 500 server_handler_finished #1\n c 16 operation_finished outcome=attempt_timeout", ""},
		{"The injector was 6 ms late.",
			asked + "s 27 fault_fired #1 late_ms=6\n s 28 server_handler_finished #1" + punctual + answered, "6.000 ms late"},
		{"The injector was 6 ms late for a client that had left.",
			asked + "s 22 server_client_gone #1\n s 27 fault_fired #1 late_ms=6" + answered, ""},
		{"The client gave up because the injector was late.",
			asked + "s 47 fault_fired #1 late_ms=26\n s 48 server_handler_finished #1" + punctual + "c 40 attempt_timed_out @1 limit=sock_read_ms\n c 41 operation_finished outcome=attempt_timeout", "26.000 ms late"},
		{"A late chunk that the next one caught up with.",
			asked + "s 47 fault_fired #1 late_ms=26\n s 96.2 fault_fired #1 late_ms=0.2\n s 97 server_handler_finished #1" + punctual + answered, ""},
		{"A late last chunk.",
			asked + "s 21.2 fault_fired #1 late_ms=0.2\n s 108 fault_fired #1 late_ms=12\n s 109 server_handler_finished #1" + punctual + answered, "12.000 ms late"},
		{"The server had no script for the request.",
			asked + "s 21 fault_fired #1 late_ms=0\n s 22 unscripted #1" + answered, "no script"},
		{"Nobody released the gate in time.",
			asked + "s 21 fault_fired #1 late_ms=0\n s 22 gate_expired #1 gate=o" + answered, "gate o expired"},
		{"An event of the client is missing.",
			asked + "s 21 fault_fired #1 late_ms=0\n c 800 deadline_fired seq=9\n c 900 attempt_finished @1 seq=10\n c 900 operation_finished seq=11 outcome=success", "missing"},
		{"An attempt has two ends.",
			asked + "s 21 fault_fired #1 late_ms=0\n c 800 attempt_failed @1" + answered, "one end for each attempt"},
	} {
		_, op := merged(t, c.history)
		got := strings.Join(op.Reasons, "; ")
		if op.Valid != (c.reason == "") || !strings.Contains(got, c.reason) {
			t.Errorf("%s valid %t, reasons %q, want %q", c.why, op.Valid, got, c.reason)
		}
	}
}

// An injector that is late by nature, here 2 ms in the median, has its own limit.
func TestInjectorLimitFollowsItsMedian(t *testing.T) {
	text := asked + "s 35 fault_fired #1 late_ms=14\n s 36 server_handler_finished #1" + answered
	for _, id := range []string{"p", "q"} {
		other := strings.ReplaceAll(asked+"s 23 fault_fired #1 late_ms=2\n s 36 server_handler_finished #1"+answered, "\n", " op="+id+"\n")
		text += strings.ReplaceAll(other, "\n op="+id+"\n", "\n")
	}
	var lines []string
	for line := range strings.SplitSeq(text, "\n") {
		if len(strings.Fields(line)) > 2 {
			lines = append(lines, line)
		}
	}
	if _, op := merged(t, strings.Join(lines, "\n")); !op.Valid {
		t.Errorf("14 ms are less than ten times the median of 2: %v", op.Reasons)
	}
}

// Every gap is named with its side, experiment and place, and makes the run
// invalid; another scenario's operations stay valid.
func TestSequence(t *testing.T) {
	run, op := merged(t, `
		c 0 operation_started
		c 1 operation_finished outcome=success
		c 2 operation_started  op=p scenario=other
		c 3 operation_finished op=p outcome=success
		s 0 log_opened exp=y op= of_scenario=slow
		s 1 noise_sampled exp=y op= seq=4 due=1
		s 0 log_opened exp=z op= of_scenario=other
	`)
	if run.Valid || op.Valid || !run.Operation("p").Valid {
		t.Errorf("run valid %t, o %v, p %v", run.Valid, op.Reasons, run.Operation("p").Reasons)
	}
	want := timeline.Problem{Requirement: timeline.Sequence, Found: "server log of experiment y: seq 4 (noise_sampled)", Expected: "seq 2"}
	if len(run.Problems) != 1 || run.Problems[0] != want {
		t.Errorf("problems %v", run.Problems)
	}
}

// Events that a recorder had to drop are as missing as a gap.
func TestEventsLost(t *testing.T) {
	run, op := merged(t, `
		c 0 operation_started
		c 1 events_lost op= count=3
		c 2 operation_finished outcome=success
	`)
	if run.Valid || op.Valid || !strings.Contains(run.Problems[0].Found, "count 3") {
		t.Errorf("valid %t, problems %v", op.Valid, run.Problems)
	}
}

// A log that ends too early has no gap: the tally knows what its writer wrote.
func TestTally(t *testing.T) {
	in := history(t, "c 0 operation_started\nc 1 operation_finished outcome=success\ns 1 log_opened op=")
	in.Tallies = []timeline.Tally{{Side: "client", LastSeq: 2}, {Side: "server", Experiment: "x", LastSeq: 1}}
	if run := timeline.Merge(in); !run.Valid {
		t.Fatalf("both logs are whole: %v", run.Problems)
	}
	in.Tallies[1].LastSeq = 40
	run := timeline.Merge(in)
	if run.Valid || len(run.Problems) != 1 || run.Problems[0].Found != "server log of experiment x: ends at seq 1" {
		t.Errorf("problems %v", run.Problems)
	}
	in.Tallies = []timeline.Tally{{Side: "client", LastSeq: 1}}
	run = timeline.Merge(in)
	if run.Valid || len(run.Problems) != 1 || run.Problems[0].Found != "client log: ends at seq 2" {
		t.Errorf("the log of a longer run: problems %v", run.Problems)
	}
}

// An operation that the plan does not know is named: no series would show it.
func TestUnplanned(t *testing.T) {
	in := history(t, "c 0 operation_started\nc 1 operation_finished outcome=success")
	for variant, problems := range map[string]int{"operation_deadline": 0, "single_attempt": 1} {
		in.Planned = []timeline.Cell{{Scenario: "slow", Variant: variant}}
		if run := timeline.Merge(in); len(run.Problems) != problems || problems == 1 && run.Problems[0].Requirement != timeline.InPlan {
			t.Errorf("%s: problems %v", variant, run.Problems)
		}
	}
}

// Every requirement that a history can break is found, and a sound one breaks none.
func TestProblems(t *testing.T) {
	for _, c := range []struct {
		want    timeline.Requirement
		history string
	}{
		{timeline.KnownOperation, "c 0 operation_started\nc 1 operation_finished outcome=success\ns 1 server_request_started #1 op=typo"},
		{timeline.KnownOperation, "c 0 operation_started\nc 1 operation_finished outcome=success\ns 1 unscripted #1 op=typo"},
		{timeline.OneStart, "c 0 attempt_started @1"},
		{timeline.OneStart, "c 0 operation_started\nc 0 operation_started\nc 1 operation_finished outcome=success"},
		{timeline.OneOutcome, "c 0 operation_started"},
		{timeline.OneOutcome, "c 0 operation_started\nc 1 operation_finished outcome=success\nc 1 operation_finished outcome=success"},
		{timeline.KnownOutcome, "c 0 operation_started\nc 1 operation_finished outcome=fine"},
		{timeline.OneEnd, "c 0 operation_started\nc 0 attempt_started @1\nc 1 operation_finished outcome=success"},
		{timeline.OneEnd, "c 0 operation_started\nc 0 attempt_failed @1\nc 1 operation_finished outcome=success"},
		{timeline.InOrder, "c 0 operation_started\nc 0 attempt_started @2\nc 0 attempt_failed @2\nc 1 operation_finished outcome=success"},
		{timeline.InOrder, "c 0 operation_started\ns 0 server_request_started #2\nc 1 operation_finished outcome=success"},
		{timeline.OfOneRun, "c 0 operation_started\ns -1.1 server_request_started #1\nc 1 operation_finished outcome=success"},
		{timeline.OfOneRun, "c 0 operation_started\ns 5001.1 server_request_started #1\nc 1 operation_finished outcome=success"},
		{timeline.OfOneRun, "c 0 operation_started\nc 1 operation_finished outcome=success\nc 9000 noise_sampled op= due=1000 late_ms=8000\ns 9001 server_request_started #1"},
		{timeline.NeverStopped, "c 0 operation_started\nc 1 operation_finished outcome=success\ns 9000 noise_sampled op= due=1000 late_ms=8000\ns 9001 server_request_started #1"},
		{timeline.OfOneRun, "c 0 operation_started\nc 1 operation_finished outcome=success\ns 5000 noise_sampled op= due=1000 late_ms=4000\ns 9001 server_request_started #1"},
		{timeline.ExchangeWhole, "c 0 operation_started\ns 0 server_headers_written #1\nc 1 operation_finished outcome=success"},
		{timeline.ServerHolds, "c 0 operation_started\nc 1 operation_finished outcome=success\ns 1 server_failed error=defect"},
		{timeline.TimeRuns, "c 5 operation_started\nc 1 operation_finished outcome=success"},
		{timeline.Sequence, "c 0 operation_started seq=2\nc 1 operation_finished outcome=success"},
	} {
		run, _ := merged(t, c.history)
		if len(run.Problems) != 1 || run.Problems[0].Requirement != c.want {
			t.Errorf("want %q, found %v in\n%s", c.want, run.Problems, c.history)
		}
	}
}

// The hard cap abandons an operation: its attempt may have no end.
func TestCapLeavesAnAttemptOpen(t *testing.T) {
	run, op := merged(t, `
		c    0 operation_started
		c    0 attempt_started @1
		c 8000 external_cancel_requested cause=hard_cap
		c 9000 operation_finished outcome=cap_reached
	`)
	if len(run.Problems) != 0 || op.Promise != timeline.Unbounded || op.Stop.By != timeline.ByCap || op.Stop.RequestedMs != 8000 {
		t.Errorf("problems %v, promise %s, stop %+v", run.Problems, op.Promise, op.Stop)
	}
}

// Helpers and probes are in no invariant.
func TestHelpersAreInNoInvariant(t *testing.T) {
	run, _ := merged(t, "c 0 operation_started phase=helper\nc 0 attempt_started @1\nc 1 operation_finished outcome=success")
	if len(run.Problems) != 0 {
		t.Errorf("problems %v", run.Problems)
	}
}

// What a helper holds is part of the operation's fault: a gate that opened late
// or never makes the operation invalid, unless it had ended before.
func TestHelperIsPartOfTheFault(t *testing.T) {
	for _, c := range []struct{ why, end, gate, reason string }{
		{"released on time", "1120", "s 1100.2 gate_released op=h #1 due=1100 late_ms=0.2", ""},
		{"released 9 ms late", "1129", "s 1109 gate_released op=h #1 due=1100 late_ms=9", "released 9.000 ms late"},
		{"released late, after the caller had left", "1000", "s 1109 gate_released op=h #1 due=1100 late_ms=9", ""},
		{"a second answer 30 ms late, while the operation waited", "1129", "s 630 fault_fired op=h #1 late_ms=30\n s 631 fault_fired op=h #1 late_ms=0.1\n s 632 fault_fired op=h #1 late_ms=0.1", "released 30.000 ms late"},
		{"never released", "1129", "s 1109 gate_expired op=h #1", "did not hold"},
	} {
		_, op := merged(t, `
			c 0 operation_started op=h phase=helper for=o
			s 1 server_request_started op=h #1
			c 1 operation_started
			c `+c.end+` operation_finished outcome=success
			`+c.gate+`
			s 1110 server_handler_finished op=h #1
			c 1200 operation_finished op=h outcome=success
		`)
		if got := strings.Join(op.Reasons, "; "); op.Valid != (c.reason == "") || !strings.Contains(got, c.reason) {
			t.Errorf("%s: valid %t, reasons %q", c.why, op.Valid, got)
		}
		if late := op.FaultLateMs; (late != nil) != (c.end != "1000" && strings.Contains(c.gate, "late_ms")) {
			t.Errorf("%s: fault late %v", c.why, late)
		}
	}
}

// t0 is the deadline less the budget: the client took it before it wrote the
// event. A deadline of the caller's own, earlier than t0 + budget, moves no t0.
func TestT0IsTheCall(t *testing.T) {
	in := history(t, "c 0.4 operation_started\nc 1001 operation_finished outcome=deadline_exceeded")
	in.Client[0].Start.DeadlineNs = origin + 1000e6
	if op := timeline.Merge(in).Operation("o"); op.DurationMs != 1001 || op.Overshoot != 1 || op.T0Ns != origin {
		t.Errorf("duration %v, overshoot %v", op.DurationMs, op.Overshoot)
	}
	in.Client[0].Start.DeadlineNs = origin + 300e6
	if op := timeline.Merge(in).Operation("o"); op.DurationMs != 1000.6 || op.Overshoot != 701 {
		t.Errorf("duration %v, overshoot %v", op.DurationMs, op.Overshoot)
	}
}
