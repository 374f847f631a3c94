package timeline

import "github.com/deadlinelab/deadlinelab/internal/eventlog"

// operationStarted begins the record: t0 and the deadline are those of the first
// start.
func (d *builder) operationStarted(e *eventlog.Event, t int64) {
	if d.starts++; d.starts > 1 {
		return
	}
	start := eventlog.Start{}
	if e.Start != nil {
		start = *e.Start
	}
	d.t0, d.deadline = t, t+nanoseconds(start.BudgetMs)
	if start.DeadlineNs != 0 {
		d.deadline = instant(start.DeadlineNs)
		d.t0 = called(t, d.deadline-nanoseconds(start.BudgetMs))
	}
	if start.T0Ns != 0 {
		d.t0 = called(t, instant(start.T0Ns))
	}
	d.end, d.blind, d.heard, d.begunMs = d.t0, start.Blind, start.Heard, e.LateMs
	d.parts.start(d.t0)
	d.op = &Operation{Op: d.id, Scenario: start.Scenario, Variant: start.Variant, Label: start.Label, Client: start.Client, Repeat: start.Repeat,
		Index: start.Index, Phase: start.Phase, For: start.For, Group: start.Group, Caller: start.Caller, T0Ns: d.t0, BudgetMs: milli(start.BudgetMs), Attempts: []Attempt{}}
}

// recordedWithin is how long the event may come after the call that it records.
// A deadline further off than that is not t0 + budget but the caller's own.
const recordedWithin = 10e6

// called is t0, which the client took before it wrote the event: the instant
// that the event names, else the deadline less the budget, unless that is no
// instant just before it.
func called(recorded, t0 int64) int64 {
	if t0 <= recorded && recorded-t0 <= recordedWithin {
		return t0
	}
	return recorded
}

// operationFinished ends it: with the first end.
func (d *builder) operationFinished(e *eventlog.Event, t int64) {
	if d.ends++; d.ends > 1 {
		return
	}
	d.parts.advance(t)
	d.end = d.parts.at
	d.op.Finished = true
	d.op.Outcome, d.op.Last, d.op.ErrorType, d.op.Error = e.Outcome, e.Last, e.ErrorType, e.Error
	d.endedExternal(e)
}
