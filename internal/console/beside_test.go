package console

import (
	"strings"
	"testing"
)

// Where there is no room beside a name its text stands below.
func TestListOnANarrowTerminal(t *testing.T) {
	rows := [][]string{{"SCENARIO", "RUNG", "QUESTION"}, {"semaphore_wait", "core", "Does the time in that queue count against the budget?"}}
	got := Table(rows, 20)
	want := "SCENARIO RUNG\n  QUESTION\nsemaphore_wait core\n  Does the time in\n  that queue count\n  against the\n  budget?\n"
	if got != want {
		t.Errorf("%q", got)
	}
	if wide := Table(rows, 60); !strings.Contains(wide, "semaphore_wait  core  Does the time") {
		t.Errorf("%q", wide)
	}
}
