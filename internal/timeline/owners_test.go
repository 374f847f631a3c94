package timeline_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/deadlinelab/deadlinelab/internal/timeline"
)

// Each exchange belongs to the attempt that had its connection.
func TestExchangesBelongToTheirAttempts(t *testing.T) {
	_, op := merged(t, slowHeaders)
	if op.ServerRequests != 2 || len(op.Stray) != 0 {
		t.Fatalf("%d requests, stray %v", op.ServerRequests, op.Stray)
	}
	for i, a := range op.Attempts {
		if len(a.Exchanges) != 1 || a.Exchanges[0].N != i+1 {
			t.Errorf("attempt %d has exchanges %v", a.N, a.Exchanges)
		}
	}
}

// net/http sends a request again on a fresh connection when a kept-alive one
// was dead: two exchanges in one attempt are a replay, not a stray.
func TestReplayBelongsToItsAttempt(t *testing.T) {
	run, op := merged(t, `
		c  0   operation_started
		c  0   attempt_started         @1
		c  0.1 connection_acquired     @1 conn=old
		s  0.2 server_request_started  #1 conn=old
		s  0.3 server_handler_finished #1
		c  0.5 connection_acquired     @1 conn=new
		s  0.7 server_request_started  #2 conn=new
		s  1.0 server_handler_finished #2
		c  1.1 headers_received        @1 status=200
		c  1.2 body_finished           @1 bytes=10
		c  1.2 attempt_finished        @1
		c  1.3 operation_finished      outcome=success
	`)
	if len(op.Attempts[0].Exchanges) != 2 || len(op.Stray) != 0 || len(run.Problems) != 0 {
		t.Errorf("exchanges %v, stray %v, problems %v", op.Attempts[0].Exchanges, op.Stray, run.Problems)
	}
	if op.Attempts[0].Conn != "new" || *op.ToHeadersMs != 1.1 || !*op.BodyComplete || op.Promise != timeline.Kept {
		t.Errorf("%+v", op)
	}
}

// An exchange on a connection that no attempt had is a stray: the operation is
// not valid.
func TestStrayExchange(t *testing.T) {
	run, op := merged(t, `
		c  0   operation_started
		c  0   attempt_started         @1
		c  0.1 connection_acquired     @1 conn=c1
		s  0.2 server_request_started  #1 conn=other
		s  0.3 server_handler_finished #1
		c  1.2 attempt_finished        @1
		c  1.3 operation_finished      outcome=success
	`)
	if len(op.Stray) != 1 || op.Valid || len(run.Problems) != 1 || run.Problems[0].Requirement != timeline.Belongs {
		t.Errorf("stray %v, valid %t, problems %v", op.Stray, op.Valid, run.Problems)
	}
}

// The attempt that a request names in its header decides, whatever its time.
func TestNamedAttemptDecides(t *testing.T) {
	_, op := merged(t, `
		c  0   operation_started
		c  0   attempt_started         @1
		c  5   attempt_failed          @1
		c  5   attempt_started         @2
		s  7   server_request_started  #1 @1 conn=c1
		s  8   server_handler_finished #1
		c  9   attempt_finished        @2
		c  9   operation_finished      outcome=success
	`)
	if len(op.Attempts[0].Exchanges) != 1 || len(op.Attempts[1].Exchanges) != 0 {
		t.Errorf("%+v", op.Attempts)
	}
}

// A redirect hop belongs to its attempt: its waits count, the last answer too.
func TestRedirectStaysInItsAttempt(t *testing.T) {
	_, op := merged(t, `
		c  0  operation_started
		c  0  attempt_started          @1
		c  0  connection_wait_started  @1
		c  1  connection_acquired      @1 conn=c1
		s  2  server_request_started   #1 conn=c1
		s  2  server_handler_finished  #1
		c 11  headers_received         @1 status=302
		c 12  connection_wait_started  @1
		c 14  connection_acquired      @1 conn=c1
		s 15  server_request_started   #2 conn=c1
		s 15  server_handler_finished  #2
		c 24  headers_received         @1 status=200
		c 26  body_finished            @1
		c 26  attempt_finished         @1
		c 27  operation_finished       outcome=success
	`)
	want := timeline.Where{ConnectionWait: 3, Server: 20, Body: 3, Cleanup: 1}
	if diff := cmp.Diff(want, op.Where); diff != "" {
		t.Error(diff)
	}
	if *op.ToHeadersMs != 24 || op.Attempts[0].Status != 200 || len(op.Attempts[0].Exchanges) != 2 {
		t.Errorf("%+v", op.Attempts[0])
	}
}
