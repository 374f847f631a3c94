package runner

import (
	"time"

	"github.com/deadlinelab/deadlinelab/internal/eventlog"
	"github.com/deadlinelab/deadlinelab/internal/variants"
)

// earlyTimer is how much too early a client's timer may act, and its report lie.
const earlyTimer = 5 * time.Millisecond

// unnamed takes the name off a limit that cannot have ended the attempt: the
// scenario sets none, or it is longer than the attempt. A library has one timeout
// for what a client feeds it, such as the smaller of total_ms and the budget, and
// its error does not say which of them that was.
func (o *externalOperation) unnamed(e *eventlog.Event, at time.Time) {
	switch e.Kind {
	case eventlog.AttemptStarted:
		o.attemptFrom = at
	case eventlog.AttemptTimedOut:
		if limit := limitNamed(o.policy.Limits, e.Limit); limit == 0 || at.Sub(o.attemptFrom) < limit-earlyTimer {
			e.Limit = ""
		}
	}
}

func limitNamed(l variants.Limits, name string) time.Duration {
	return map[string]time.Duration{"total_ms": l.Total, "connect_ms": l.Connect, "sock_connect_ms": l.SockConnect, "sock_read_ms": l.SockRead}[name]
}
