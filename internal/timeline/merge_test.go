package timeline_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/deadlinelab/deadlinelab/internal/eventlog"
	"github.com/deadlinelab/deadlinelab/internal/timeline"
)

// slowHeaders: two attempts of 400 ms, pauses of 100 and 200; the deadline fires
// in the second pause.
const slowHeaders = `
	c    0    operation_started
	c    0    admission_wait_started
	c    0.1  admission_acquired
	c    0.1  attempt_started          @1
	c    0.2  connection_wait_started  @1
	c    0.3  connect_started          @1
	c    0.5  connect_finished         @1
	c    0.6  connection_acquired      @1  conn=c1
	s    0.55 connection_accepted      op= conn=c1
	c    0.7  request_written          @1
	s    0.8  server_request_started   #1  conn=c1
	s    0.8  fault_armed              #1  due=800.8
	c  400.1  attempt_timed_out        @1  limit=total_ms
	s  400.3  server_client_gone       #1  how=fin
	s  400.4  server_handler_finished  #1
	s  400.5  connection_closed        op= conn=c1
	c  400.1  backoff_started          @1  planned_ms=100
	c  500.2  backoff_finished         @1
	c  500.2  attempt_started          @2
	c  500.3  connection_wait_started  @2
	c  500.6  connection_acquired      @2  conn=c2
	c  500.7  request_written          @2
	s  500.8  server_request_started   #2  conn=c2
	s  500.8  fault_armed              #2  due=1300.8
	c  900.2  attempt_timed_out        @2  limit=total_ms
	s  900.4  server_client_gone       #2  how=fin
	s  900.5  server_handler_finished  #2
	c  900.2  backoff_started          @2  planned_ms=200
	c 1000.4  deadline_fired
	c 1000.6  cancellation_observed
	c 1000.7  admission_released
	c 1000.7  operation_finished       outcome=deadline_exceeded
`

// The parts of slow_headers add up to its duration, the backoffs and the waits
// that were cut included.
func TestWhereAddsUp(t *testing.T) {
	run, op := merged(t, slowHeaders)
	if len(run.Problems) > 0 || !run.Valid || !op.Valid {
		t.Fatalf("a sound history has problems: %v, reasons %v", run.Problems, op.Reasons)
	}
	want := timeline.Where{Admission: 0.1, ConnectionWait: 0.5, Connect: 0.2, Server: 799.1, Backoff: 200.6, Cleanup: 0.2}
	if diff := cmp.Diff(want, op.Where); diff != "" {
		t.Error(diff)
	}
	if op.DurationMs != 1000.7 || op.Overshoot != 0.7 {
		t.Errorf("duration %v, overshoot %v", op.DurationMs, op.Overshoot)
	}
}

// The deadline fired in a pause whose planned end lay after it: what was slept
// of it up to the deadline is waste.
func TestWasteOfABackoffThatCouldNotEnd(t *testing.T) {
	_, op := merged(t, slowHeaders)
	if *op.WasteMs != 99.8 {
		t.Errorf("waste_ms = %v, want 99.8", *op.WasteMs)
	}
}

// Two attempts of 400 ms: a timer around the HTTP calls shows 800, not 1000.
func TestTheTwoMetricsThatLie(t *testing.T) {
	_, op := merged(t, slowHeaders)
	if op.HTTPTimerMs == nil || *op.HTTPTimerMs != 800 || op.ToHeadersMs != nil {
		t.Errorf("http_timer_ms = %v, to_headers_ms = %v", op.HTTPTimerMs, op.ToHeadersMs)
	}
}

// A deadline has four moments, as a cancellation has.
func TestFourMomentsOfADeadline(t *testing.T) {
	_, op := merged(t, slowHeaders)
	want := &timeline.Stop{By: timeline.ByDeadline, RequestedMs: 1000.4, ObservedMs: new(1000.6), ReturnedMs: 1000.7, ServerDoneMs: new(900.5)}
	if diff := cmp.Diff(want, op.Stop); diff != "" {
		t.Error(diff)
	}
}

// The caller cancels in the HTTP call; the server goes on to its answer.
func TestFourMomentsOfACancellation(t *testing.T) {
	_, op := merged(t, `
		c   0    operation_started
		c   0    attempt_started            @1
		c   0.5  connection_acquired        @1 conn=c1
		s   2    server_request_started     #1 conn=c1
		s   2    fault_armed                #1 due=302
		c 103.1  external_cancel_requested
		c 103.4  attempt_cancelled          @1
		c 103.4  cancellation_observed
		c 103.5  operation_finished         outcome=cancelled
		s 303.3  server_headers_prepared    #1 status=200
		s 303.3  fault_fired                #1 late_ms=1.3
		s 303.4  server_handler_finished    #1
	`)
	want := &timeline.Stop{By: timeline.ByCancel, RequestedMs: 103.1, ObservedMs: new(103.4), ReturnedMs: 103.5, ServerDoneMs: new(303.4)}
	if diff := cmp.Diff(want, op.Stop); diff != "" {
		t.Error(diff)
	}
	if op.Promise != timeline.CancelledByCaller || !op.Valid || op.FaultLateMs == nil || *op.FaultLateMs != 1.3 {
		t.Errorf("promise %s, valid %t %v, fault late %v", op.Promise, op.Valid, op.Reasons, op.FaultLateMs)
	}
}

// A pool wait that never gets its connection ends with its attempt, and the
// HTTP timer includes it.
func TestPoolWaitEndsWithItsAttempt(t *testing.T) {
	_, op := merged(t, `
		c    0   operation_started
		c    0.2 attempt_started          @1
		c    0.3 connection_wait_started  @1
		c 1000.5 deadline_fired
		c 1000.6 attempt_cancelled        @1
		c 1000.9 operation_finished       outcome=deadline_exceeded
	`)
	want := &timeline.Span{FromMs: 0.3, ToMs: 1000.6, Open: true}
	if diff := cmp.Diff(want, op.Attempts[0].Connection); diff != "" {
		t.Error(diff)
	}
	if *op.HTTPTimerMs != 1000.4 || op.Where.ConnectionWait != 1000.3 || op.ServerRequests != 0 {
		t.Errorf("timer %v, where %+v", *op.HTTPTimerMs, op.Where)
	}
}

// The caller gave up in the queue for a slot: no attempt, no request, no timer.
func TestAdmissionWaitEndsWithTheOperation(t *testing.T) {
	_, op := merged(t, `
		c    0   operation_started
		c    0   admission_wait_started
		c 1000.5 deadline_fired
		c 1000.6 operation_finished outcome=deadline_exceeded
	`)
	if diff := cmp.Diff(&timeline.Span{ToMs: 1000.6, Open: true}, op.Admission); diff != "" {
		t.Error(diff)
	}
	if len(op.Attempts) != 0 || op.HTTPTimerMs != nil || op.Where.Admission != 1000.6 || op.Promise != timeline.FailedInTime {
		t.Errorf("%+v", op)
	}
}

// The server's clock is 250 ms behind and known within 1 ms.
func TestAnotherHostsClock(t *testing.T) {
	in := history(t, `
		c   0    operation_started
		c   0    attempt_started           @1
		c   1    connection_acquired       @1 conn=c1
		s -247   server_request_started    #1 conn=c1
		c 100    external_cancel_requested
		c 100.2  attempt_cancelled         @1
		c 100.2  operation_finished        outcome=cancelled
		s -149.3 server_handler_finished   #1
	`)
	in.OffsetNs, in.BoundNs = 250e6, 1e6
	op := timeline.Merge(in).Operation("o")
	if x := op.Attempts[0].Exchanges[0]; x.StartMs != 3 || *x.HandlerEndMs != 100.7 {
		t.Errorf("exchange %+v", x)
	}
	if op.Stop.ServerDoneMs != nil || len(op.Reasons) != 1 || !strings.Contains(op.Reasons[0], "clock bound") {
		t.Errorf("0.5 ms are narrower than the bound: %v, reasons %v", op.Stop.ServerDoneMs, op.Reasons)
	}
	if op.ServerBound != 1 {
		t.Errorf("the bound is %v", op.ServerBound)
	}
	if !op.Valid {
		t.Error("an unknown gap is no reason against the operation")
	}
}

// A dial that goes on in the background holds nobody up; it is shown as long as
// it was.
func TestDialThatOutlivesItsAttempt(t *testing.T) {
	_, op := merged(t, `
		c  0  operation_started
		c  0  attempt_started          @1
		c  0  connection_wait_started  @1
		c  1  connect_started          @1
		c 10  attempt_timed_out        @1 limit=connect_ms
		c 10  attempt_started          @2
		c 10  connection_wait_started  @2
		c 15  connect_finished         @1
		c 20  connection_acquired      @2 conn=c1
		c 30  headers_received         @2 status=200
		c 30  body_finished            @2
		c 30  attempt_finished         @2
		c 30  operation_finished       outcome=success
	`)
	want := timeline.Where{ConnectionWait: 11, Connect: 9, Server: 10}
	if diff := cmp.Diff(want, op.Where); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff(&timeline.Span{FromMs: 1, ToMs: 15}, op.Attempts[0].Connect); diff != "" {
		t.Error(diff)
	}
}

// A client that reports no connections still tells an HTTP call from its own
// code: the attempt counts as the server's.
func TestClientWithoutTrace(t *testing.T) {
	_, op := merged(t, `
		c  0  operation_started
		c  2  attempt_started          @1
		s  4  server_request_started   #1 conn=c1
		s 11  server_handler_finished  #1
		c 12  attempt_finished         @1
		c 13  operation_finished       outcome=success
	`)
	if diff := cmp.Diff(timeline.Where{Server: 10, Cleanup: 3}, op.Where); diff != "" {
		t.Error(diff)
	}
	if len(op.Attempts[0].Exchanges) != 1 {
		t.Errorf("stray %v", op.Stray)
	}
}

// What the caller got, by outcome and end.
func TestPromise(t *testing.T) {
	for _, c := range []struct {
		end, outcome string
		promise      timeline.Promise
		late, kept   bool
	}{
		{"999", "success", timeline.Kept, false, true},
		{"1005", "success", timeline.Kept, false, true}, // margin 5
		{"1005.001", "success", timeline.Late, true, false},
		{"1001", "deadline_exceeded", timeline.FailedInTime, false, false},
		{"1006", "deadline_exceeded", timeline.Late, true, false},
		{"100", "cancelled", timeline.CancelledByCaller, false, false},
		{"1500", "cancelled", timeline.Late, true, false},
		{"8000", "cap_reached", timeline.Unbounded, true, false},
	} {
		_, op := merged(t, "c 0 operation_started\nc "+c.end+" operation_finished outcome="+c.outcome)
		if op.Promise != c.promise || op.Late != c.late || op.InBudget != c.kept {
			t.Errorf("%s at %s: promise %s, late %t, in budget %t", c.outcome, c.end, op.Promise, op.Late, op.InBudget)
		}
	}
}

// The margin is the client's own noise, never the server's.
func TestMarginFollowsTheClientsNoise(t *testing.T) {
	run, op := merged(t, `
		c    0 operation_started
		c    1 noise_sampled op= due=1 late_ms=7.5
		s    1 noise_sampled op= due=1 late_ms=90
		c 1007 operation_finished outcome=success
	`)
	if run.MarginMs != 7.5 || op.Late || op.StallMs != 90 {
		t.Errorf("margin %v, late %t, stall %v", run.MarginMs, op.Late, op.StallMs)
	}
}

// One stall of a short run is not what counts as in time: the largest of many
// samples is never the margin.
func TestMarginIsNotOneStall(t *testing.T) {
	var log strings.Builder
	for i := range 19 {
		fmt.Fprintf(&log, "c %d noise_sampled op= due=%d late_ms=6\n", i*50, i*50)
	}
	run, op := merged(t, "c 0 operation_started\n"+log.String()+"c 1372 noise_sampled op= due=1000 late_ms=372\nc 1372 operation_finished outcome=success")
	if run.MarginMs != 6 || !op.Late || op.StallMs != 372 {
		t.Errorf("margin %v, late %t, stall %v", run.MarginMs, op.Late, op.StallMs)
	}
}

// Attempts begun after the caller's deadline are counted.
func TestAttemptsAfterDeadline(t *testing.T) {
	_, op := merged(t, `
		c    0 operation_started
		c    0 attempt_started @1
		c 1000 attempt_failed  @1
		c 1000 attempt_started @2
		c 1001 attempt_failed  @2
		c 1001 attempt_started @3
		c 1002 attempt_failed  @3
		c 1002 operation_finished outcome=retries_exhausted last=transport_error
	`)
	if *op.AttemptsAfterDeadline != 1 || op.Last != eventlog.TransportError {
		t.Errorf("%d after the deadline, last %s", *op.AttemptsAfterDeadline, op.Last)
	}
}

// An operation without an end is no result and hides nothing: it is kept,
// unfinished, and its open waits end with what is known of it.
func TestUnfinishedOperation(t *testing.T) {
	run, op := merged(t, `
		c  0 operation_started
		c  1 attempt_started @1
		c  7 connection_wait_started @1
	`)
	if op.Finished || op.Valid || op.Attempts[0].ToMs != 7 || !op.Attempts[0].Open {
		t.Errorf("%+v", op)
	}
	if len(run.Problems) != 1 || run.Problems[0].Requirement != timeline.OneOutcome {
		t.Errorf("problems %v", run.Problems)
	}
}
