package extclient

import (
	"strings"
	"testing"

	"github.com/deadlinelab/deadlinelab/internal/eventlog"
)

func TestParseOutcome(t *testing.T) {
	status, outcome, err := ParseOutcome("28=attempt_timeout")
	if status != 28 || outcome != eventlog.AttemptTimeout || err != nil {
		t.Errorf("%d, %q, %v", status, outcome, err)
	}
	for text, want := range map[string]string{
		"28":                          "expected STATUS=OUTCOME",
		"x=cancelled":                 `status "x": expected 1 to 255`,
		"0=cancelled":                 `status "0": expected 1 to 255`,
		"-1=cancelled":                `status "-1": expected 1 to 255`,
		"256=cancelled":               `status "256": expected 1 to 255`,
		"99999999999999999=cancelled": "status",
		"28=deadline":                 `"deadline" is no outcome of an exit status`,
		"28=canceled":                 `did you mean "cancelled"?`,
		"28=success":                  `"success" is no outcome of an exit status`,
		"28=cap_reached":              `"cap_reached" is no outcome of an exit status`,
	} {
		if _, _, err := ParseOutcome(text); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: error %v, want %q", text, err, want)
		}
	}
}

func TestOutcomesOf(t *testing.T) {
	said := map[int]eventlog.Outcome{28: eventlog.AttemptTimeout, 99: eventlog.Refused}
	curl := OutcomesOf("/usr/bin/curl", said)
	if curl[28] != eventlog.AttemptTimeout || curl[99] != eventlog.Refused || curl[7] != eventlog.ConnectError {
		t.Errorf("curl: %v", curl)
	}
	if other := OutcomesOf("mine", nil); len(other) != 0 {
		t.Errorf("an unknown program: %v", other)
	}
	if again := OutcomesOf("curl.exe", nil); again[28] != eventlog.DeadlineExceeded {
		t.Errorf("what was said of one client is kept: %v", again)
	}
}

// Every outcome of the table can be assigned by hand as well.
func TestKnownOutcomes(t *testing.T) {
	for program, table := range known {
		for status, outcome := range table {
			if o, err := parseOutcome(string(outcome)); err != nil || o != outcome || status < 1 || status > 255 {
				t.Errorf("%s: %d=%s: %v", program, status, outcome, err)
			}
		}
	}
}
