package timeline_test

import (
	"strings"
	"testing"

	"github.com/deadlinelab/deadlinelab/internal/eventlog"
	"github.com/deadlinelab/deadlinelab/internal/timeline"
)

// Start-ups of 40.5 ms are taken off as far as the server's account leaves room:
// a request that arrived after 6 ms was not sent by a process that took 40 to
// start. Of an end that the server does not tell about it is what start-ups take
// from the end of their answer on, 5 ms.
func TestStartupCut(t *testing.T) {
	run := timeline.Merge(history(t, `
c 0     operation_started op=fast client=exec blind=yes variant=curl
s 6     server_request_started #1 op=fast
s 1031  server_body_finished #1 op=fast
s 1031  server_handler_finished #1 op=fast
c 1032  operation_finished op=fast outcome=success
c 2000  operation_started op=usual client=exec blind=yes variant=curl
s 2035  server_request_started #1 op=usual
s 3031  server_body_finished #1 op=usual
s 3031  server_handler_finished #1 op=usual
c 3032  operation_finished op=usual outcome=success
c 4000  operation_started op=unseen client=exec blind=yes variant=curl
s 4006  server_request_started #1 op=unseen
c 5032  operation_finished op=unseen outcome=deadline_exceeded
s 5900  server_handler_finished #1 op=unseen
`+startups()))
	if len(run.Problems) > 0 {
		t.Fatal(run.Problems)
	}
	for op, want := range map[string]struct {
		startup, net float64
		cut, late    bool
	}{"fast": {7, 1025, true, true}, "usual": {36, 996, false, false}, "unseen": {11, 1021, true, true}} {
		got := run.Operation(op)
		if *got.StartupMs != want.startup || *got.NetMs != want.net || got.StartupCut != want.cut || got.Late != want.late {
			t.Errorf("%s: start-up %v, net %v, cut %t, late %t, want %+v", op, *got.StartupMs, *got.NetMs, got.StartupCut, got.Late, want)
		}
	}
}

// Two of three left no time for the start-up: the series says so.
func TestStartupCutIsSaid(t *testing.T) {
	s := seriesOf(t, []curl{{6, 1030, 1032, 0}, {6, 1030, 1032, 0}, {36, 1037, 1041, 0}})
	if s.StartupCut != 2 || !strings.Contains(strings.Join(s.Warnings, " "), "2 of 3 operations left no time for the start-up") {
		t.Errorf("cut %d, warnings %q", s.StartupCut, s.Warnings)
	}
}

// Between the margin of the machine and that of the start-ups nobody can tell.
func TestUndecided(t *testing.T) {
	s := seriesOf(t, []curl{{36, 1037, 1041, 0}, {36, 1043, 1047, 0}, {36, 1046, 1050, 0}})
	if s.Undecided != 1 || s.Late != 1 || s.MarginMs != 7.5 || !strings.Contains(strings.Join(s.Warnings, " "), "1 of 3 operations ended so little too late") {
		t.Errorf("undecided %d, late %d, margin %v, warnings %q", s.Undecided, s.Late, s.MarginMs, s.Warnings)
	}
}

// Where the server saw a later request, or an end long before that of the
// process, a start-up or an end that took long is known and not in doubt.
func TestDecidedBySight(t *testing.T) {
	for _, c := range []struct {
		op        curl
		undecided int
	}{{curl{36, 1043, 1047, 0}, 1}, {curl{42, 1046, 1047, 0}, 0}, {curl{36, 1038, 1047, 0}, 0}, {curl{38, 1044, 1047, 0}, 1}} {
		if s := seriesOf(t, []curl{c.op}); s.Undecided != c.undecided || s.Late != 0 {
			t.Errorf("%+v: undecided %d, late %d, want %d, 0", c.op, s.Undecided, s.Late, c.undecided)
		}
	}
}

func seriesOf(t *testing.T, ops []curl) timeline.Series {
	run := timeline.Merge(history(t, curls(ops)+startups()))
	return timeline.Summarize(run, []timeline.Cell{{Scenario: "slow", Variant: "curl", Client: eventlog.ExecClient}})[0]
}

// A process that sleeps after each success has a start-up of 540.5 ms under
// healthy. What did not succeed did not sleep: where the server saw a connection,
// that is all it spends; where it saw nothing, nobody can tell.
func TestStartupThatOnlySuccessHas(t *testing.T) {
	run := timeline.Merge(history(t, `
c 0     operation_started op=silent client=exec blind=yes variant=curl
s 12    connection_accepted op=silent conn=c1
s 1410  connection_closed op= conn=c1
c 1412  operation_finished op=silent outcome=deadline_exceeded
c 3000  operation_started op=unseen client=exec blind=yes variant=curl
c 4412  operation_finished op=unseen outcome=deadline_exceeded
c 6000  operation_started op=quick client=exec blind=yes variant=curl budget_ms=1
c 6002.9 operation_finished op=quick outcome=refused
c 8000  operation_started op=reset client=exec blind=yes variant=curl
s 8010  server_request_started #1 op=reset conn=c2
s 8011  connection_closed op= conn=c2
s 8011  server_handler_finished #1 op=reset
c 8013  operation_finished op=reset outcome=transport_error
`+sleeping(startups())))
	if len(run.Problems) > 0 {
		t.Fatal(run.Problems)
	}
	for op, want := range map[string]struct {
		startup, net    float64
		late, undecided bool
	}{"silent": {14, 1398, true, false}, "unseen": {538, 874, false, true}, "quick": {2.9, 0, false, false}, "reset": {12, 1, false, false}} {
		got := run.Operation(op)
		if *got.StartupMs != want.startup || *got.NetMs != want.net || got.Late != want.late || got.Undecided != want.undecided {
			t.Errorf("%s: start-up %v, net %v, late %t, undecided %t, want %+v", op, *got.StartupMs, *got.NetMs, got.Late, got.Undecided, want)
		}
	}
}

// sleeping moves the ends of start-ups 500 ms back.
func sleeping(startups string) string {
	lines := strings.Split(startups, "\n")
	for i, line := range lines {
		if words := strings.Fields(line); len(words) > 2 && words[2] == "operation_finished" {
			words[1] = trim(number(words[1]) + 500)
			lines[i] = strings.Join(words, " ")
		}
	}
	return strings.Join(lines, "\n")
}
