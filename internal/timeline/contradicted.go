package timeline

import (
	"fmt"

	"github.com/deadlinelab/deadlinelab/internal/eventlog"
)

// told is how long after the end of an operation the server may say that it has
// sent the body: its own account is written after the write, by a process that
// may just have been held up.
const told = int64(100e6)

// contradictSuccesses finds the clients in other processes that report a success
// although the server had not sent them the whole of any body: nobody can have
// read what was not sent. Where the server's log is not whole, it is no witness.
func (r *Run) contradictSuccesses() {
	cut := r.cutLogs()
	for _, d := range r.drafts {
		if d.op == nil || d.op.Client == "" || !d.op.Finished || d.op.Outcome != eventlog.Success || d.op.ClientBroke != "" {
			continue
		}
		end, short := cut[d.op.Scenario]
		lacks := r.broken[""] || r.broken[d.op.Scenario] || short && d.end+r.in.BoundNs+told > end
		if calls[d.op.Phase] && !lacks && !d.sentWhole(r.in.BoundNs) {
			d.op.ClientBroke = fmt.Sprintf("it reported a success after %.1f ms, by when the server had %s", millis(d.end-d.t0), d.sent())
		}
	}
}

// calls are the phases in which an operation is a call with an answer.
var calls = map[eventlog.Phase]bool{eventlog.Measured: true, eventlog.Warmup: true, eventlog.Startup: true}

func (d *draft) sentWhole(bound int64) bool {
	limit := d.end + bound + told + nanoseconds(d.op.StallMs)
	for i := range d.exchanges {
		if d.exchanges[i].bodied <= limit {
			return true
		}
	}
	return false
}

// sent is what the server had done instead.
func (d *draft) sent() string {
	for i := range d.exchanges {
		if x := &d.exchanges[i]; x.started && x.start <= d.end {
			return "not sent the whole of any body"
		}
	}
	return "seen no request"
}
