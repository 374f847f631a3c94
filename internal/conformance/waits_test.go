package conformance

import (
	"testing"

	"github.com/deadlinelab/deadlinelab/internal/timeline"
)

// A slot that is said to be given back, and is not, shows in the call that
// waits for it. Who gives up in the queue has not been stuck.
func TestStuck(t *testing.T) {
	for _, c := range []struct {
		ms       float64
		requests int
		want     string
	}{
		{1000, 1, ""},
		{200, 0, ""},
		{450, 0, ""},
		{1000.2, 0, "found deadline_exceeded after 1000.2 ms, without a request; expected its request once the slots are given back, at 250 ms"},
	} {
		op := &timeline.Operation{}
		op.Outcome, op.DurationMs, op.ServerRequests = "deadline_exceeded", c.ms, c.requests
		var got string
		if f := stuck([]*timeline.Operation{op}); f != nil {
			got = f.text
		}
		if got != c.want {
			t.Errorf("%+v: %q", c, got)
		}
	}
}
