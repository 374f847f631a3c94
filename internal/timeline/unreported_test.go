package timeline_test

import (
	"slices"
	"testing"

	"github.com/deadlinelab/deadlinelab/internal/eventlog"
	"github.com/deadlinelab/deadlinelab/internal/timeline"
)

// inVain is a 503 whose Retry-After lies beyond the budget of 500 ms, and what
// the client tells of the end of its pause.
const inVain = `
c 0    operation_started client=adapter variant=failsafe at=0 budget_ms=500
c 0.1  attempt_started @1 at=0.1
s 0.5  server_request_started #1
s 0.6  server_headers_written #1 status=503
s 0.7  server_handler_finished #1
c 0.8  headers_received @1 status=503 at=0.8
c 0.9  attempt_failed @1 status=503 at=0.9
c 1    backoff_started @1 planned_ms=5000 at=1
`

// Waste takes the client's account of its deadline: where it has none, 499 ms of
// sleep in vain are not 0. A pause that its caller's cancel cut short is.
func TestWasteTakesTheDeadline(t *testing.T) {
	run, op := merged(t, inVain+"c 500 operation_finished outcome=deadline_exceeded at=500")
	if op.WasteMs != nil || !slices.Contains(op.Unreported, "waste_ms") || op.UnreportedBecause != "the client does not report when its deadline fires" {
		t.Errorf("silent: waste %v, unreported %q because %q", op.WasteMs, op.Unreported, op.UnreportedBecause)
	}
	s := timeline.Summarize(run, []timeline.Cell{{Scenario: "slow", Variant: "failsafe", Client: eventlog.AdapterClient}})[0]
	if len(run.Problems) > 0 || s.WasteMs != nil || !slices.Contains(s.Unreported, "waste_ms") {
		t.Errorf("problems %v, waste %+v, unreported %q", run.Problems, s.WasteMs, s.Unreported)
	}
	for end, want := range map[string]float64{
		"c 500 deadline_fired at=500\nc 500 operation_finished outcome=deadline_exceeded at=500": 499,
		"c 100 external_cancel_requested\nc 101 operation_finished outcome=cancelled at=101":     0,
		"c 500 operation_finished outcome=cap_reached at=500":                                    0,
	} {
		if _, op := merged(t, inVain+end); op.WasteMs == nil || *op.WasteMs != want {
			t.Errorf("%s: waste %v, want %v", end, op.WasteMs, want)
		}
	}
}

// A client that never tells of the 200 ms between its attempts has no waste of 0,
// and they are not the time of its own code.
func TestPausesThatAreNotReported(t *testing.T) {
	run, op := merged(t, `
c 0    operation_started client=adapter variant=undici at=0
c 1    attempt_started @1 at=1
s 1.5  server_request_started #1
s 1.6  server_handler_finished #1
c 2    attempt_failed @1 at=2
c 202  attempt_started @2 at=202
s 203  server_request_started #2
s 204  server_headers_written #2
s 204  server_body_finished #2
s 204  server_handler_finished #2
c 205  headers_received @2 status=200 at=205
c 206  body_finished @2 bytes=10 at=206
c 206  attempt_finished @2 at=206
c 206  operation_finished outcome=success at=206
c 1000 operation_started op=once client=adapter variant=undici at=1000
c 1001 attempt_started op=once @1 at=1001
c 1007 attempt_failed op=once @1 at=1007
c 1008 operation_finished op=once outcome=connect_error at=1008
`)
	if len(run.Problems) > 0 {
		t.Fatal(run.Problems)
	}
	if op.WasteMs != nil || op.UnreportedBecause != "the client does not report its pauses" || op.Where.Cleanup != 0 || op.Where.Unreported != 201 {
		t.Errorf("waste %v because %q, where %+v", op.WasteMs, op.UnreportedBecause, op.Where)
	}
	if once := run.Operation("once"); once.WasteMs != nil {
		t.Errorf("another operation of it: waste %v", *once.WasteMs)
	}
}
