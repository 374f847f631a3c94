package runner

import (
	"testing"
	"time"

	"github.com/deadlinelab/deadlinelab/internal/eventlog"
	"github.com/deadlinelab/deadlinelab/internal/variants"
)

// A client that says "total_ms" after 1000 ms of 2000 was ended by its budget.
func TestLimitThatCannotHaveActed(t *testing.T) {
	from := time.Now()
	for _, test := range []struct {
		limits variants.Limits
		named  string
		after  time.Duration
		want   string
	}{
		{variants.Limits{Total: 2 * time.Second}, "total_ms", time.Second, ""},
		{variants.Limits{Total: time.Second}, "total_ms", time.Second, "total_ms"},
		{variants.Limits{Total: time.Second}, "total_ms", 998 * time.Millisecond, "total_ms"},
		{variants.Limits{Total: time.Second}, "sock_read_ms", time.Second, ""},
		{variants.Limits{SockRead: 200 * time.Millisecond}, "sock_read_ms", time.Second, "sock_read_ms"},
		{variants.Limits{Connect: 300 * time.Millisecond, SockConnect: 500 * time.Millisecond}, "sock_connect_ms", 300 * time.Millisecond, ""},
		{variants.Limits{Connect: 300 * time.Millisecond}, "connect_ms", 300 * time.Millisecond, "connect_ms"},
		{variants.Limits{Total: time.Second}, "", time.Second, ""},
	} {
		o := &externalOperation{underway: &underway{policy: variants.Policy{Limits: test.limits}}}
		o.unnamed(&eventlog.Event{Kind: eventlog.AttemptStarted}, from)
		e := eventlog.Event{Kind: eventlog.AttemptTimedOut, Limit: test.named}
		if o.unnamed(&e, from.Add(test.after)); e.Limit != test.want {
			t.Errorf("%+v: %q", test, e.Limit)
		}
	}
}
