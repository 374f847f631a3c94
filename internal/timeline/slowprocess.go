package timeline

import "github.com/deadlinelab/deadlinelab/internal/eventlog"

// processTimes is what an operation that is a process spends outside of what
// the server sees, in ms: before its first request arrives, and from when the
// server last saw it until it has ended.
type processTimes struct{ before, after float64 }

// alike are operations whose processes should take equally long to start and to
// end: those of a series with the same outcome and requests, or the start-ups
// of a client.
type alike struct {
	series    seriesKey
	signature string
}

func alikeOf(op *Operation) alike {
	if op.Phase == eventlog.Startup {
		return startupsOf(op)
	}
	return alike{keyOf(op), signature(op)}
}

func startupsOf(op *Operation) alike { return alike{series: seriesKey{variant: op.Variant}} }

// slowProcesses counts it as a stall when the process of an operation took
// longer to send its first request, or to end, than the others like it did, and
// than it does under a healthy upstream. The noise samplers run in processes that
// are there already: they do not see another one wait for a processor.
func (r *Run) slowProcesses() {
	usual := r.usualTimes()
	for _, d := range r.drafts {
		times, ok := d.processTimes()
		if !ok || d.op.Phase == eventlog.Startup {
			continue
		}
		own, healthy := usual[alikeOf(d.op)], usual[startupsOf(d.op)]
		excess := max(0, times.before-max(own.before, healthy.before)) + max(0, times.after-max(own.after, healthy.after))
		d.op.StallMs = milli(max(d.op.StallMs, excess))
	}
}

// usualTimes are the medians.
func (r *Run) usualTimes() map[alike]processTimes {
	before, after := map[alike][]float64{}, map[alike][]float64{}
	for _, d := range r.drafts {
		if times, ok := d.processTimes(); ok {
			key := alikeOf(d.op)
			before[key], after[key] = append(before[key], times.before), append(after[key], times.after)
		}
	}
	usual := map[alike]processTimes{}
	for key := range before {
		b, _ := Median(before[key])
		a, _ := Median(after[key])
		usual[key] = processTimes{b, a}
	}
	return usual
}

// processTimes are not known of an operation that the server did not see.
func (d *draft) processTimes() (processTimes, bool) {
	if d.op == nil || d.op.Client != eventlog.ExecClient || !d.op.Finished || len(d.exchanges) == 0 || !d.exchanges[0].started {
		return processTimes{}, false
	}
	return processTimes{before: millis(d.exchanges[0].start - d.t0), after: millis(max(0, d.end-d.lastSeen()))}, true
}

// lastSeen is when the server last knew the client to be there; the end of the
// operation if it never saw it leave.
func (d *draft) lastSeen() int64 {
	seen := int64(0)
	for i := range d.exchanges {
		switch x := &d.exchanges[i]; {
		case x.sawGone:
			seen = max(seen, x.gone)
		case x.bodied != farthest:
			seen = max(seen, x.bodied)
		default:
			return d.end
		}
	}
	return seen
}
