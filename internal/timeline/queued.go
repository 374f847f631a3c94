package timeline

import "github.com/deadlinelab/deadlinelab/internal/eventlog"

// queuedProcesses counts it as a stall when the process of an operation was
// ready to run and waited for a processor: the noise samplers run in processes
// that are there already and do not see that. Only the kernel's account of the
// wait counts. That a process was slow proves nothing, since a slow client is
// what is looked for.
func (r *Run) queuedProcesses() {
	for _, d := range r.builders {
		if d.op == nil || d.op.Client != eventlog.ExecClient || d.op.Phase == eventlog.Startup || !d.op.Finished {
			continue
		}
		usual, _ := Median(r.startups[d.op.Variant].queued) // is in the start-up, and so in no net figure
		d.op.StallMs = milli(max(d.op.StallMs, d.queuedMs-usual))
	}
}
