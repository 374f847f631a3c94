package timeline_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/deadlinelab/deadlinelab/internal/eventlog"
	"github.com/deadlinelab/deadlinelab/internal/timeline"
)

// An adapter's events count at its own times, in their order, however late and
// in whatever order the bench heard of them.
func TestAtTheClientsOwnTime(t *testing.T) {
	run, op := merged(t, `
c 3    operation_started at=1 client=adapter variant=aiohttp
c 4    attempt_started @1 at=2
s 3.2  server_request_started #1
s 403  server_client_gone #1 how=fin
s 403  server_handler_finished #1
c 410  backoff_started @1 planned_ms=100 at=403
c 411  attempt_timed_out @1 limit=total_ms at=402
c 512  backoff_finished at=503
c 512  attempt_started @2 at=503
s 504  server_request_started #2
c 560  external_cancel_requested
c 565  attempt_cancelled @2 at=561
c 566  cancellation_observed at=561.5
s 562  server_client_gone #2 how=fin
s 562  server_handler_finished #2
c 570  operation_finished outcome=cancelled error_type=CancelledError at=562.5
`)
	if len(run.Problems) > 0 || !op.Valid {
		t.Fatalf("problems %v, reasons %v", run.Problems, op.Reasons)
	}
	if op.DurationMs != 561.5 || op.Attempts[0].ToMs != 401 || op.Backoffs[0].FromMs != 402 || op.Backoffs[0].ToMs != 502 {
		t.Errorf("%+v", op)
	}
	if op.Stop == nil || op.Stop.By != timeline.ByCancel || op.Stop.RequestedMs != 559 || op.Stop.ReturnedMs != 561.5 || *op.Stop.ObservedMs != 560.5 {
		t.Errorf("stop %+v", op.Stop)
	}
	want := timeline.Where{Server: 458, Backoff: 100, Cleanup: 3.5}
	if diff := cmp.Diff(want, op.Where); diff != "" {
		t.Error(diff)
	}
	if len(op.Attempts[0].Exchanges) != 1 || len(op.Attempts[1].Exchanges) != 1 {
		t.Errorf("exchanges %+v", op.Attempts)
	}
	var kinds []string
	for _, e := range run.Entries("o") {
		if e.Side == "client" {
			kinds = append(kinds, fmt.Sprintf("%s %g", e.Kind, e.Ms))
		}
	}
	if at := slices.Index(kinds, "attempt_timed_out 401"); at < 0 || kinds[at+1] != "backoff_started 402" {
		t.Errorf("journal %q", kinds)
	}
}

// What a blind client does is known from the server alone: the rest is null,
// not zero, and its duration is the server's, the body's, or unreported.
func TestBlindClient(t *testing.T) {
	run, op := merged(t, `
c 0    operation_started client=exec blind=yes variant=curl
s 40   server_request_started #1
s 340  server_headers_written #1 status=503
s 340  server_body_finished #1
s 340  server_handler_finished #1
s 445  server_request_started #2
s 450  server_headers_written #2 status=200
s 700  server_client_gone #2 how=fin
s 900  server_handler_finished #2
c 710  operation_finished outcome=deadline_exceeded error_type=28 at=710
`)
	if len(run.Problems) > 0 {
		t.Fatal(run.Problems)
	}
	if op.Attempts != nil || op.HeadersReceived != nil || op.BodyComplete != nil || op.HTTPTimerMs != nil || op.ToHeadersMs != nil || op.WasteMs != nil || op.AttemptsAfterDeadline != nil {
		t.Errorf("a blind client was said to report: %+v", op)
	}
	if len(op.Exchanges) != 2 || len(op.Stray) != 0 || op.ServerRequests != 2 || len(op.Unreported) != 7 || op.UnreportedBecause == "" {
		t.Errorf("exchanges %d, stray %d, requests %d, unreported %q because %q", len(op.Exchanges), len(op.Stray), op.ServerRequests, op.Unreported, op.UnreportedBecause)
	}
	want := timeline.Where{Server: 305, Body: 250, Unreported: 155}
	if diff := cmp.Diff(want, op.Where); diff != "" {
		t.Error(diff)
	}
}

// startups writes start-ups of curl under healthy that cost 38 … 43 ms and
// leave the server 2 ms of work.
func startups() string {
	var b strings.Builder
	for i, cost := range []float64{40, 38, 43, 41, 39, 42} {
		t0, op := 100000+1000*float64(i), fmt.Sprintf("op=s%d", i)
		fmt.Fprintf(&b, "c %s operation_started %s client=exec blind=yes variant=curl scenario=healthy phase=startup\n", trim(t0), op)
		fmt.Fprintf(&b, "s %s server_request_started #1 exp=h %s\n", trim(t0+cost-5), op)
		fmt.Fprintf(&b, "s %s server_body_finished #1 exp=h %s\n", trim(t0+cost-3), op)
		fmt.Fprintf(&b, "c %s operation_finished outcome=success %s\n", trim(t0+cost+2), op)
	}
	return b.String()
}

// An error that the bench made itself at the hard cap, and the end of a process
// that saw no error, are nothing that a caller would catch; what its own cancel
// brings it is.
func TestErrorTypesAreThoseOfTheCaller(t *testing.T) {
	endings := []string{"outcome=cap_reached error_type=context.Canceled", "outcome=cap_reached error_type=AbortError", "outcome=invalid_data error_type=exit_status_0",
		"outcome=success error_type=Warning", "outcome=deadline_exceeded error_type=TimeoutError", "outcome=cancelled error_type=CancelledError", "outcome=client_error error_type=exit_status_7"}
	text := ""
	for i, ending := range endings {
		text += fmt.Sprintf("c %d operation_started op=m%d client=exec blind=yes variant=curl\n", 2000*i, i)
		text += fmt.Sprintf("c %d operation_finished op=m%d %s\n", 2000*i+900, i, ending)
	}
	in := history(t, text+startups())
	for i := range in.Client {
		in.Client[i].ErrorType = strings.ReplaceAll(in.Client[i].ErrorType, "_", " ")
	}
	s := timeline.Summarize(timeline.Merge(in), []timeline.Cell{{Scenario: "slow", Variant: "curl", Label: "curl", BudgetMs: 1000, Client: eventlog.ExecClient}})[0]
	want := map[string]int{"TimeoutError": 1, "CancelledError": 1, "exit status 7": 1}
	if diff := cmp.Diff(want, s.ErrorTypes); diff != "" {
		t.Error(diff)
	}
}

// Nobody saw these three: 38 ms of each, the least start-up, are the start of its
// process. Late is one that 43 ms, the p95 of start-ups, and the margin of 5 ms
// do not make up for.
func TestNetOfStartup(t *testing.T) {
	text := ""
	for i, ms := range []float64{1042, 1047, 1050} {
		text += fmt.Sprintf("c %d operation_started op=m%d client=exec blind=yes variant=curl\n", 2000*i, i)
		text += fmt.Sprintf("c %s operation_finished op=m%d outcome=deadline_exceeded error_type=28\n", trim(2000*float64(i)+ms), i)
	}
	run := timeline.Merge(history(t, text+startups()))
	if len(run.Problems) > 0 {
		t.Fatal(run.Problems)
	}
	s := timeline.Summarize(run, []timeline.Cell{{Scenario: "slow", Variant: "curl", Label: "curl", BudgetMs: 1000, Client: eventlog.ExecClient}})[0]
	if diff := cmp.Diff(&timeline.Quantiles{Median: 40.5, P95: new(43.0), Max: 43}, s.StartupMs); diff != "" {
		t.Error(diff)
	}
	if s.MarginMs != 7.5 || s.DurationMs.Median != 1047 || s.NetDurationMs.Median != 1009 || s.OvershootMs.Median != 9 || s.OvershootMs.Max != 12 {
		t.Errorf("margin %v, durations %+v, net %+v, overshoot %+v", s.MarginMs, s.DurationMs, s.NetDurationMs, s.OvershootMs)
	}
	if diff := cmp.Diff(map[string]int{"failed_in_time": 2, "late": 1}, s.Promise); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff(map[string]int{"28": 3}, s.ErrorTypes); diff != "" {
		t.Error(diff)
	}
	if s.Attempts != nil || s.HeadersReceived != nil || s.WasteMs != nil || s.UnreportedBecause == "" || s.ServerRequests["0"] != 3 {
		t.Errorf("%+v", s)
	}
	m := run.Operation("m1")
	if *m.StartupMs != 38 || *m.NetMs != 1009 || m.DurationMs != 1047 || m.Overshoot != 9 || m.Late || !m.Undecided {
		t.Errorf("%+v", m)
	}
	if own := run.Operation("s1"); *own.StartupMs != 38 || own.NetMs != nil {
		t.Errorf("start-up %v, net %v", *own.StartupMs, own.NetMs)
	}
}

// Without a start-up nothing can be judged: a start-up that failed, or asked
// twice, is none.
func TestNoStartup(t *testing.T) {
	run, op := merged(t, `
c 0     operation_started client=exec blind=yes variant=curl
c 100   operation_finished outcome=deadline_exceeded
c 500   operation_started op=s1 client=exec blind=yes variant=curl phase=startup
s 510   server_request_started #1 op=s1
s 512   server_body_finished #1 op=s1
c 520   operation_finished op=s1 outcome=unexpected_status
c 600   operation_started op=s2 client=exec blind=yes variant=curl phase=startup
s 610   server_request_started #1 op=s2
s 612   server_body_finished #1 op=s2
s 613   server_request_started #2 op=s2
s 614   server_body_finished #2 op=s2
c 620   operation_finished op=s2 outcome=success
`)
	if op.Valid || len(op.Reasons) != 1 || !strings.Contains(op.Reasons[0], "no start-up of the client was measured") {
		t.Errorf("valid %t, reasons %q", op.Valid, op.Reasons)
	}
	s := only(t, run)
	if s.Invalid != 1 || s.StartupMs != nil || s.StartupFailed != "unexpected_status" || s.MarginMs != 5 || !strings.Contains(strings.Join(s.Warnings, " "), "No start-up of the client was measured") {
		t.Errorf("%+v", s)
	}
}

// A client that broke, or that was heard too late, proves nothing; what it left
// undone is no damage of the logs.
func TestBrokenClients(t *testing.T) {
	run := timeline.Merge(history(t, `
c 0     operation_started op=a client=adapter variant=undici at=0
c 1     attempt_started op=a @1 at=1
s 5     server_request_started #1 op=a
c 200   operation_finished op=a outcome=client_error cause=client_broke error=exit_status_3
c 1000  operation_started op=b client=adapter variant=undici at=1000
c 1712  operation_finished op=b outcome=refused at=1200
c 2000  operation_started op=c client=adapter variant=undici at=2000
c 2300  operation_finished op=c outcome=refused at=2200
`))
	if len(run.Problems) > 0 {
		t.Fatal(run.Problems)
	}
	for id, want := range map[string]string{"a": "the client broke: exit_status_3", "b": "its end was reported 512 ms after it happened", "c": ""} {
		op := run.Operation(id)
		if got := strings.Join(op.Reasons, "; "); got != want || op.Valid != (want == "") {
			t.Errorf("%s: valid %t, reasons %q, want %q", id, op.Valid, got, want)
		}
	}
	s := only(t, run)
	if s.N != 1 || s.Invalid != 2 || s.Broken != 1 || s.BrokenBecause != "exit_status_3" {
		t.Errorf("%+v", s)
	}
	warnings := strings.Join(s.Warnings, "\n")
	for _, want := range []string{"1 of 3 operations are invalid: the client broke: exit_status_3.", "1 of 3 " + timeline.InvalidReason} {
		if !strings.Contains(warnings, want) {
			t.Errorf("no warning %q in %q", want, warnings)
		}
	}
}

// A client that reports its attempts but not when headers arrive is not said to
// have received none.
func TestUnreportedHeaders(t *testing.T) {
	run, op := merged(t, `
c 0    operation_started client=adapter variant=axios at=0
c 0    attempt_started @1 at=0
s 2    server_request_started #1
s 102  server_headers_written #1 status=200
s 302  server_body_finished #1
s 302  server_handler_finished #1
c 304  attempt_finished @1 status=200 at=304
c 304  operation_finished outcome=success at=304
c 1000 operation_started op=p client=adapter variant=axios at=1000
c 1000 attempt_started op=p @1 at=1000
s 1001 server_request_started #1 op=p
c 2000 attempt_timed_out op=p @1 at=2000
c 2000 operation_finished op=p outcome=attempt_timeout at=2000
`)
	if len(run.Problems) > 0 {
		t.Fatal(run.Problems)
	}
	if diff := cmp.Diff([]string{"headers_received", "body_complete", "to_headers_ms"}, op.Unreported); diff != "" {
		t.Error(diff)
	}
	if op.HeadersReceived != nil || op.BodyComplete != nil || *op.HTTPTimerMs != 304 || len(op.Attempts) != 1 || *op.WasteMs != 0 {
		t.Errorf("%+v", op)
	}
	if diff := cmp.Diff(timeline.Where{Server: 100, Body: 200, Unreported: 4}, op.Where); diff != "" {
		t.Error(diff)
	}
	s := timeline.Summarize(run, nil)[0]
	if s.Attempts["1"] != 2 || s.HeadersReceived != nil || s.BodyComplete != nil || *s.AfterDeadline != 0 {
		t.Errorf("%+v", s)
	}
}

// Without a stop of its own the server's work counts from the return of a
// caller whose connection the server saw closed.
func TestServerAfterForeignClients(t *testing.T) {
	run, _ := merged(t, `
c 0    operation_started client=exec blind=yes variant=curl
s 40   server_request_started #1
s 541  server_client_gone #1 how=fin
s 841  server_handler_finished #1
c 541  operation_finished outcome=deadline_exceeded
`+startups())
	s := timeline.Summarize(run, nil)[0]
	if s.ServerAfterMs == nil || s.ServerAfterMs.Median != 300 {
		t.Errorf("server after %+v", s.ServerAfterMs)
	}
}

// A cell that cannot be measured is a series without operations, and without a
// doubt about them.
func TestNotApplicable(t *testing.T) {
	run, _ := merged(t, startups())
	cell := timeline.Cell{Scenario: "semaphore_wait", Variant: "curl", Label: "curl", BudgetMs: 1000, Client: eventlog.ExecClient, NotApplicable: "the client has no slots"}
	s := timeline.Summarize(run, []timeline.Cell{cell})[0]
	if s.NotApplicable != "the client has no slots" || s.Planned != 0 || s.N != 0 || len(s.Warnings) != 0 || s.StartupMs != nil || s.Attempts != nil || s.HeadersReceived != nil {
		t.Errorf("%+v", s)
	}
}

// An adapter without a clock is heard a little after it acts: its request may
// be at the server before its attempt is known.
func TestHeardALittleLate(t *testing.T) {
	run, op := merged(t, `
c 10   operation_started client=adapter heard=yes variant=requests at=10
c 11   attempt_started @1 at=11
s 8    server_request_started #1
s 9    server_headers_written #1 status=200
s 9    server_body_finished #1
s 9    server_handler_finished #1
c 12   headers_received @1 status=200 at=12
c 12   body_finished @1 at=12
c 12   attempt_finished @1 status=200 at=12
c 13   operation_finished outcome=success at=13
`)
	if len(run.Problems) > 0 || !op.Valid || len(op.Attempts[0].Exchanges) != 1 {
		t.Errorf("problems %v, %+v", run.Problems, op)
	}
}

// The bench itself reads on from a process whose child holds its output: that
// is no doubt about when it ended.
func TestLeftItsOutput(t *testing.T) {
	for client, want := range map[string]bool{eventlog.ExecClient: true, eventlog.AdapterClient: false} {
		run := timeline.Merge(history(t, `
c 0     operation_started op=a client=`+client+` blind=yes variant=curl
c 1141  operation_finished op=a outcome=deadline_exceeded at=1040
`+startups()))
		if op := run.Operation("a"); op.Valid != want {
			t.Errorf("%s: valid %t, reasons %q", client, op.Valid, op.Reasons)
		}
	}
}
