package timeline_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/deadlinelab/deadlinelab/internal/timeline"
)

// What opens and closes a connection is shown with the operation whose exchange
// used it, also when a later operation gets the same port.
func TestConnectionEventsFollowTheirExchange(t *testing.T) {
	run, _ := merged(t, `
		c  0   operation_started
		s  1   connection_accepted     op= conn=p
		s  2   server_request_started  #1 conn=p
		s  3   connection_closed       op= conn=p
		c  4   operation_finished      outcome=success
		c 10   operation_started       op=later
		s 11   connection_accepted     op= conn=p
		s 12   server_request_started  op=later #1 conn=p
		s 13   connection_closed       op= conn=p
		c 14   operation_finished      op=later outcome=success
	`)
	want := []string{"client 0 operation_started", "server 1 connection_accepted", "server 2 server_request_started", "server 3 connection_closed", "client 4 operation_finished"}
	if diff := cmp.Diff(want, journal(run.Entries("o"))); diff != "" {
		t.Error(diff)
	}
	if got := journal(run.Entries("later")); len(got) != 5 || got[1] != "server 1 connection_accepted" {
		t.Errorf("later: %v", got)
	}
}

// At one instant a request is written before it arrives, and headers arrive
// after they were written.
func TestJournalKeepsCausesFirst(t *testing.T) {
	run, _ := merged(t, `
		c  0   operation_started
		c  1   attempt_started         @1
		s  1   server_request_started  #1
		c  1   request_written         @1
		s  1   server_headers_written  #1 status=200
		c  1   headers_received        @1 status=200
		s  1   server_body_finished    #1
		c  1   body_finished           @1
		s  1   server_handler_finished #1
		c  1   attempt_finished        @1
		c  1   operation_finished      outcome=success
	`)
	got := strings.Join(journal(run.Entries("o")), "\n")
	for _, pair := range [][2]string{{"request_written", "server_request_started"}, {"server_headers_written", "headers_received"}, {"server_body_finished", "client 1 body_finished"}} {
		if strings.Index(got, pair[0]) > strings.Index(got, pair[1]) {
			t.Errorf("%s comes after %s:\n%s", pair[0], pair[1], got)
		}
	}
}

// A helper's events join the journal on the operation's own time axis.
func TestJournalWithRelated(t *testing.T) {
	run, _ := merged(t, `
		c  0  operation_started  op=h phase=helper for=o
		c  5  operation_started
		c  9  operation_finished outcome=success
		c 12  operation_finished op=h outcome=success
	`)
	related := run.Related("o")
	if len(related) != 1 || related[0].Op != "h" {
		t.Fatalf("related %v", related)
	}
	want := []string{"client -5 operation_started", "client 0 operation_started", "client 4 operation_finished", "client 7 operation_finished"}
	if diff := cmp.Diff(want, journal(run.Entries("o", "h"))); diff != "" {
		t.Error(diff)
	}
}

func journal(entries []timeline.Entry) (lines []string) {
	for _, e := range entries {
		lines = append(lines, strings.Join([]string{e.Side, trim(e.Ms), string(e.Kind)}, " "))
	}
	return lines
}
