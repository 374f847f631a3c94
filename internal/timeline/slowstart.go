package timeline

import "github.com/deadlinelab/deadlinelab/internal/eventlog"

// slowStarts counts it as a stall when the process of an operation took longer
// to send its first request than the others of its series did, and than it does
// under a healthy upstream. The noise samplers run in processes that are there
// already: they do not see a new one wait for a processor.
func (r *Run) slowStarts() {
	series, healthy := map[seriesKey][]float64{}, map[string][]float64{}
	for _, d := range r.drafts {
		switch ms, ok := d.toRequest(); {
		case ok && d.op.Phase == eventlog.Startup:
			healthy[d.op.Variant] = append(healthy[d.op.Variant], ms)
		case ok:
			series[keyOf(d.op)] = append(series[keyOf(d.op)], ms)
		}
	}
	usual := map[seriesKey]float64{}
	for key, list := range series {
		own, _ := Median(list)
		started, _ := Median(healthy[key.variant])
		usual[key] = max(own, started)
	}
	for _, d := range r.drafts {
		if ms, ok := d.toRequest(); ok && d.op.Phase != eventlog.Startup {
			d.op.StallMs = milli(max(d.op.StallMs, ms-usual[keyOf(d.op)]))
		}
	}
}

// toRequest is how long it took the process of an operation to send its first
// request; not known where none arrived.
func (d *draft) toRequest() (ms float64, ok bool) {
	if d.op == nil || d.op.Client != eventlog.ExecClient || !d.op.Finished || len(d.exchanges) == 0 || !d.exchanges[0].started {
		return 0, false
	}
	return millis(d.exchanges[0].start - d.t0), true
}
