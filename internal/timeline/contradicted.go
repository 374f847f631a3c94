package timeline

import (
	"fmt"

	"github.com/deadlinelab/deadlinelab/internal/eventlog"
)

// contradictionSlack is how long after the end of an operation the server may say that it has
// sent the body: its own account is written after the write, by a process that
// may just have been held up. When its script was due is known exactly.
const contradictionSlack = int64(50e6)

// contradictClients finds the clients in other processes whose account the
// server's rules out: a request before the start of its operation, or a success
// before the whole of a body was sent: nobody can have read what was not sent.
// Where the server's log is not whole, it is no witness.
func (r *Run) contradictClients() {
	cut := r.cutLogs()
	for _, d := range r.builders {
		if early := d.requestedBefore(r.in.BoundNs); early > 0 {
			d.contradict("its request arrived %.1f ms before the operation_started that it reported", millis(early))
		}
	}
	for _, d := range r.builders {
		if d.op == nil || d.op.Client == "" || !d.op.Finished || d.op.Outcome != eventlog.Success || d.op.ClientBroke != "" {
			continue
		}
		end, short := cut[d.op.Scenario]
		lacks := r.broken[""] || r.broken[d.op.Scenario] || short && d.end+r.in.BoundNs+contradictionSlack > end
		if calls[d.op.Phase] && !lacks && !r.sentWhole(d) {
			d.contradict("it reported a success after %.1f ms, by when the server had %s", millis(d.end-d.t0), d.sent())
		}
	}
}

func (d *builder) contradict(format string, args ...any) {
	d.op.ClientBroke, d.op.Contradicted = fmt.Sprintf(format, args...), true
}

// requestedBefore is how long before the t0 that an adapter reports its first
// request arrived, beyond what the clocks allow; 0 if it did not. What is further
// off than a start may be late is the log of another run.
func (d *builder) requestedBefore(bound int64) (early int64) {
	if d.op == nil || d.op.Client != eventlog.AdapterClient || d.op.ClientBroke != "" {
		return 0
	}
	for i := range d.exchanges {
		ahead := d.t0 - d.exchanges[i].start - bound
		if d.exchanges[i].started && ahead > d.tooEarly() && ahead <= tooLate {
			early = max(early, ahead)
		}
	}
	return early
}

// calls are the phases in which an operation is a call with an answer.
var calls = map[eventlog.Phase]bool{eventlog.Measured: true, eventlog.Warmup: true, eventlog.Startup: true}

// sentWhole tells whether a body may have been sent to its end by the end of the
// operation.
func (r *Run) sentWhole(d *builder) bool {
	end := d.end + r.in.BoundNs
	for i := range d.exchanges {
		x := &d.exchanges[i]
		if x.bodied == farthest || x.sendable > end+tooEarly {
			continue
		}
		if x.bodied <= end+contradictionSlack+nanoseconds(max(d.op.StallMs, r.stopped(d.end, x.bodied))) {
			return true
		}
	}
	return false
}

// sent is what the server had done instead.
func (d *builder) sent() string {
	for i := range d.exchanges {
		if x := &d.exchanges[i]; x.started && x.start <= d.end {
			return "not sent the whole of any body"
		}
	}
	return "seen no request"
}
