package report

import "github.com/deadlinelab/deadlinelab/internal/eventlog"

// Entry is one line of an operation's merged journal.
type Entry struct {
	Side  string  // client or server
	Ms    float64 // from the operation's t0, on its clock
	Event eventlog.Event
}
