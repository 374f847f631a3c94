package timeline_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/deadlinelab/deadlinelab/internal/eventlog"
	"github.com/deadlinelab/deadlinelab/internal/timeline"
)

// A success before the server has sent the whole of a body is a lie, whoever
// prints the marker; one that the server's account follows a moment later is not.
func TestContradictedSuccess(t *testing.T) {
	run := timeline.Merge(history(t, `
c 0     operation_started op=silent client=exec blind=yes variant=liar
c 3     operation_finished op=silent outcome=success
c 1000  operation_started op=later client=exec blind=yes variant=liar
c 1005  operation_finished op=later outcome=success
s 1010  server_request_started #1 op=later
s 2135  server_body_finished #1 op=later
s 2135  server_handler_finished #1 op=later
c 3000  operation_started op=half client=adapter variant=liar at=3000
s 3005  server_request_started #1 op=half
s 3050  server_client_gone #1 how=fin op=half
s 3050  server_handler_finished #1 op=half
c 3060  operation_finished op=half outcome=success at=3060
c 4000  operation_started op=honest client=adapter blind=yes variant=liar at=4000
s 4005  server_request_started #1 op=honest
c 4050  operation_finished op=honest outcome=success at=4050
s 4090  server_body_finished #1 op=honest
s 4090  server_handler_finished #1 op=honest
c 5000  operation_started op=ours variant=D
c 5001  operation_finished op=ours outcome=success
`))
	if len(run.Problems) > 0 {
		t.Fatal(run.Problems)
	}
	for op, want := range map[string]string{
		"silent": "it reported a success after 3.0 ms, by when the server had seen no request",
		"later":  "it reported a success after 5.0 ms, by when the server had seen no request",
		"half":   "it reported a success after 60.0 ms, by when the server had not sent the whole of any body",
		"honest": "", "ours": "",
	} {
		if got := run.Operation(op); got.ClientBroke != want || got.Valid != (want == "") || got.Contradicted != (want != "") {
			t.Errorf("%s: broke %q, valid %t, want %q", op, got.ClientBroke, got.Valid, want)
		}
	}
}

// A log that was cut off is no witness against anybody.
func TestCutLogContradictsNobody(t *testing.T) {
	in := history(t, `
c 0     operation_started client=adapter variant=undici at=0
s 5     server_request_started #1
c 200   operation_finished outcome=success at=200
`)
	in.Cut, in.Planned = true, []timeline.Cell{{Scenario: "slow", Variant: "undici", Client: eventlog.AdapterClient}}
	if op := timeline.Merge(in).Operation("o"); op.ClientBroke != "" {
		t.Errorf("%q", op.ClientBroke)
	}
}

// An adapter says in its hello whether it reports its attempts: one that says so
// and does not is found out by what the server received.
func TestAttemptsThatAreNotReported(t *testing.T) {
	log := `
c 0    operation_started op=o client=adapter variant=undici at=0 %s
s 1    server_request_started #1 op=o
s 20   server_body_finished #1 op=o
s 20   server_handler_finished #1 op=o
c 21   operation_finished op=o outcome=success at=21
`
	silent := timeline.Merge(history(t, fmt.Sprintf(log, "")))
	if op := silent.Operation("o"); op.Valid || len(silent.Problems) != 1 || silent.Problems[0].Requirement != timeline.Belongs {
		t.Errorf("claimed: %v, valid %t", silent.Problems, op.Valid)
	}
	blind := timeline.Merge(history(t, fmt.Sprintf(log, "blind=yes")))
	if op := blind.Operation("o"); !op.Valid || len(blind.Problems) != 0 {
		t.Errorf("not claimed: %v, %v", blind.Problems, op.Reasons)
	}
}

// A client that makes its request first and starts afterwards is found out, and
// so is the wait before a start; what is hours off is the log of another run.
func TestStartAfterTheCall(t *testing.T) {
	run := timeline.Merge(history(t, `
s 100   server_request_started #1 op=after
s 1200  server_body_finished #1 op=after
s 1200  server_handler_finished #1 op=after
c 1201  operation_started op=after client=adapter variant=undici at=1201
c 1202  operation_finished op=after outcome=success at=1202
c 3000  operation_started op=queued client=adapter variant=undici at=3000 late_ms=900
c 3900  operation_finished op=queued outcome=deadline_exceeded at=3900
c 4000  operation_started op=prompt client=adapter variant=undici at=4000 late_ms=99
c 4900  operation_finished op=prompt outcome=deadline_exceeded at=4900
`))
	if len(run.Problems) > 0 {
		t.Fatal(run.Problems)
	}
	for op, want := range map[string]string{
		"after":  "the client broke: its request arrived 1101.0 ms before the operation_started that it reported",
		"queued": "it began 900 ms after it was asked for, and that wait is in none of its figures", "prompt": "",
	} {
		if got := strings.Join(run.Operation(op).Reasons, "; "); got != want {
			t.Errorf("%s: %q, want %q", op, got, want)
		}
	}
	other := timeline.Merge(history(t, `
s 100   server_request_started #1 op=o
c 90000 operation_started op=o client=adapter variant=undici at=90000
c 90100 operation_finished op=o outcome=transport_error at=90100
`))
	if n := len(other.Problems); n == 0 || other.Problems[n-1].Requirement != timeline.OfOneRun {
		t.Errorf("another run's log: %v", other.Problems)
	}
}

// Times by which a late call would be kept, of a body that its script ended at
// 1050 ms: an end that is told 75 ms early, a start that is told 75 ms late. A
// client without a clock is heard late, and that is no account of its own.
func TestImpossibleTimes(t *testing.T) {
	body := `
s 10    server_request_started #1
s 10    fault_armed #1 due=1060
s 1060.5 fault_fired #1 late_ms=0.5
s 1060.7 server_body_written #1 bytes=10
s 1060.7 server_body_finished #1
s 1060.7 server_handler_finished #1
`
	start := "c %s operation_started client=adapter variant=undici blind=yes at=%s %s\n"
	end := "c 1061 operation_finished outcome=success at=%s\n"
	for name, c := range map[string]struct{ started, more, finished, broke string }{
		"honest":      {"9.8", "", "1061", ""},
		"early end":   {"9.8", "", "986", "it reported a success after 976.2 ms, by when the server had not sent the whole of any body"},
		"a bit early": {"9.8", "", "1058.9", "it reported a success after 1049.1 ms, by when the server had not sent the whole of any body"},
		"late start":  {"85", "", "1061", "its request arrived 75.0 ms before the operation_started that it reported"},
		"heard late":  {"85", "heard=yes", "1061", ""},
	} {
		_, op := merged(t, fmt.Sprintf(start, c.started, c.started, c.more)+body+fmt.Sprintf(end, c.finished))
		if op.ClientBroke != c.broke || op.Contradicted != (c.broke != "") || op.Valid != (c.broke == "") {
			t.Errorf("%s: broke %q, valid %t %q", name, op.ClientBroke, op.Valid, op.Reasons)
		}
	}
}
