package report

import (
	"github.com/deadlinelab/deadlinelab/internal/eventlog"
	"github.com/deadlinelab/deadlinelab/internal/fault"
	"github.com/deadlinelab/deadlinelab/internal/scenario"
	"github.com/deadlinelab/deadlinelab/internal/timeline"
)

// The histories below are written by hand: figures as a run shows them, small
// enough to check on paper.

func span(from, to float64) timeline.Span { return timeline.Span{FromMs: from, ToMs: to} }

func admitted(o *timeline.Operation, from, to float64) *timeline.Operation {
	s := span(from, to)
	o.Admission = &s
	return o
}

// ended is a finished operation of a budget of 1000 ms.
func ended(label, variant string, outcome eventlog.Outcome, promise timeline.Promise, ms float64) *timeline.Operation {
	return &timeline.Operation{Op: "x-" + label, Label: label, Variant: variant, Phase: eventlog.Measured, BudgetMs: 1000,
		Finished: true, Valid: true, DurationMs: ms, Overshoot: ms - 1000, Outcome: outcome, Promise: promise,
		Late: promise == timeline.Late || promise == timeline.Unbounded, InBudget: promise == timeline.Kept}
}

func answered(n int, from, headers, to float64, status int) timeline.Attempt {
	conn := span(from, from+0.3)
	return timeline.Attempt{N: n, Span: span(from, to), End: eventlog.AttemptFinished, Status: status, Connection: &conn,
		WrittenMs: new(from + 0.4), HeadersMs: new(headers), BodyMs: new(to), Exchanges: []timeline.Exchange{
			{N: n, StartMs: from + 0.5, Status: status, HeadersMs: new(headers - 0.1), BodyMs: new(to - 0.1), HandlerEndMs: new(to)}}}
}

// left is an attempt that its client gave up before the headers came.
func left(n int, from, to float64, end eventlog.Kind, limit string, handlerEnd float64) timeline.Attempt {
	conn := span(from, from+0.3)
	return timeline.Attempt{N: n, Span: span(from, to), End: end, Limit: limit, Connection: &conn, WrittenMs: new(from + 0.4),
		Exchanges: []timeline.Exchange{{N: n, StartMs: from + 0.5, ClientGoneMs: new(to + 0.2), ClientGoneHow: "fin", HandlerEndMs: new(handlerEnd)}}}
}

func client(ms float64, e eventlog.Event) timeline.Entry {
	return timeline.Entry{Side: "client", Ms: ms, Event: e}
}

func server(ms float64, e eventlog.Event) timeline.Entry {
	return timeline.Entry{Side: "server", Ms: ms, Event: e}
}

func semaphoreC() Subject {
	o := admitted(ended("C", "deadline_after_admission", eventlog.Success, timeline.Late, 1120.7), 0.1, 1100.2)
	o.Attempts = []timeline.Attempt{answered(1, 1100.3, 1120.5, 1120.6, 200)}
	o.ServerRequests, o.HTTPTimerMs, o.ToHeadersMs = 1, new(20.3), new(20.2)
	return Subject{Operation: o, Helpers: []*timeline.Operation{slotHolder()}, Journal: []timeline.Entry{
		client(0, eventlog.Event{Kind: eventlog.OperationStarted, Start: &eventlog.Start{BudgetMs: 1000}}),
		client(0.1, eventlog.Event{Kind: eventlog.AdmissionWaitStarted}),
		client(1100.2, eventlog.Event{Kind: eventlog.AdmissionAcquired}),
		client(1100.3, eventlog.Event{Kind: eventlog.AttemptStarted, Attempt: 1, RemainingMs: -100.3}),
		server(1100.8, eventlog.Event{Kind: eventlog.ServerRequestStarted, Attempt: 1, Exchange: 1}),
		client(1120.5, eventlog.Event{Kind: eventlog.HeadersReceived, Attempt: 1, Status: 200}),
		client(1120.7, eventlog.Event{Kind: eventlog.OperationFinished, Outcome: eventlog.Success}),
		server(1120.8, eventlog.Event{Kind: eventlog.ServerHandlerFinished, Exchange: 1}),
	}}
}

func slotHolder() *timeline.Operation {
	return &timeline.Operation{Op: "x-holder", Phase: eventlog.Helper, Slots: []timeline.Span{span(0, 1100.1)}}
}

func semaphoreD() Subject {
	o := admitted(ended("D", "operation_deadline", eventlog.DeadlineExceeded, timeline.FailedInTime, 1000.6), 0.1, 1000.6)
	o.Stop = &timeline.Stop{By: "deadline", RequestedMs: 1000.5, ObservedMs: new(1000.6), ReturnedMs: 1000.6}
	return Subject{Operation: o, Helpers: []*timeline.Operation{slotHolder()}, Journal: []timeline.Entry{
		client(0, eventlog.Event{Kind: eventlog.OperationStarted, Start: &eventlog.Start{BudgetMs: 1000}}),
		client(0.1, eventlog.Event{Kind: eventlog.AdmissionWaitStarted}),
		client(1000.5, eventlog.Event{Kind: eventlog.DeadlineFired}),
		client(1000.6, eventlog.Event{Kind: eventlog.OperationFinished, Outcome: eventlog.DeadlineExceeded, ErrorType: "*variants.Error"}),
	}}
}

func slowHeadersB() Subject {
	o := ended("B", "attempt_timeout", eventlog.RetriesExhausted, timeline.Late, 1501.9)
	o.Last = eventlog.AttemptTimeout
	o.Attempts = []timeline.Attempt{left(1, 0.1, 400.6, eventlog.AttemptTimedOut, "total_ms", 800.6),
		left(2, 501.2, 901.7, eventlog.AttemptTimedOut, "total_ms", 1301.8), left(3, 1101.8, 1501.8, eventlog.AttemptTimedOut, "total_ms", 1902.1)}
	o.Backoffs = []timeline.Backoff{{After: 1, PlannedMs: 100, Span: span(400.7, 501.2), Finished: true}, {After: 2, PlannedMs: 200, Span: span(901.8, 1101.8), Finished: true}}
	o.ServerRequests, o.HTTPTimerMs = 3, new(1201.0)
	return Subject{Operation: o}
}

func slowHeadersD() Subject {
	o := ended("D", "operation_deadline", eventlog.DeadlineExceeded, timeline.FailedInTime, 1000.7)
	o.Attempts = []timeline.Attempt{left(1, 0.1, 400.6, eventlog.AttemptTimedOut, "total_ms", 800.6), left(2, 501.2, 901.7, eventlog.AttemptTimedOut, "total_ms", 1301.8)}
	o.Backoffs = []timeline.Backoff{{After: 1, PlannedMs: 100, Span: span(400.7, 501.2), Finished: true}, {After: 2, PlannedMs: 200, Span: span(901.8, 1000.6)}}
	o.Stop = &timeline.Stop{By: "deadline", RequestedMs: 1000.5, ReturnedMs: 1000.7}
	o.ServerRequests, o.HTTPTimerMs, o.WasteMs = 2, new(801.0), new(98.2)
	return Subject{Operation: o}
}

func cancelB() Subject {
	o := ended("B", "attempt_timeout", eventlog.Cancelled, timeline.CancelledByCaller, 103.4)
	o.Attempts = []timeline.Attempt{left(1, 0, 103.4, eventlog.AttemptCancelled, "", 303.4)}
	o.Stop = &timeline.Stop{By: "cancel", RequestedMs: 103.1, ObservedMs: new(103.4), ReturnedMs: 103.4, ServerDoneMs: new(303.4)}
	o.ServerRequests = 1
	return Subject{Operation: o, Journal: []timeline.Entry{
		client(0, eventlog.Event{Kind: eventlog.AttemptStarted, Attempt: 1}),
		server(2, eventlog.Event{Kind: eventlog.ServerRequestStarted, Attempt: 1, Exchange: 1}),
		client(103.1, eventlog.Event{Kind: eventlog.ExternalCancelRequested}),
		client(103.4, eventlog.Event{Kind: eventlog.AttemptCancelled, Attempt: 1}),
		client(103.4, eventlog.Event{Kind: eventlog.CancellationObserved}),
		client(103.4, eventlog.Event{Kind: eventlog.OperationFinished, Outcome: eventlog.Cancelled}),
		server(303.3, eventlog.Event{Kind: eventlog.ServerHeadersPrepared, Exchange: 1, Status: 200}),
		server(303.4, eventlog.Event{Kind: eventlog.ServerHandlerFinished, Exchange: 1}),
	}}
}

func cancelBackoffD() Subject {
	o := ended("D", "operation_deadline", eventlog.Cancelled, timeline.CancelledByCaller, 51.3)
	o.Attempts = []timeline.Attempt{answered(1, 0.1, 0.9, 1, 503)}
	o.Backoffs = []timeline.Backoff{{After: 1, PlannedMs: 600, Span: span(1, 51.2)}}
	o.Stop = &timeline.Stop{By: "cancel", RequestedMs: 51.1, ReturnedMs: 51.3}
	o.ServerRequests = 1
	return Subject{Operation: o}
}

func slowBody(label, variant string) Subject {
	o := ended(label, variant, eventlog.Success, timeline.Late, 1126.5)
	a := answered(1, 0.1, 1.2, 1126.4, 200)
	o.Attempts, o.ServerRequests, o.HTTPTimerMs, o.ToHeadersMs = []timeline.Attempt{a}, 1, new(1126.3), new(1.1)
	var entries []timeline.Entry
	for i := range 16 {
		entries = append(entries, server(1.1+75*float64(i), eventlog.Event{Kind: eventlog.FaultFired, Exchange: 1, LateMs: 0.1}))
		entries = append(entries, server(1.2+75*float64(i), eventlog.Event{Kind: eventlog.ServerBodyWritten, Exchange: 1, Bytes: 64, Total: 64 * int64(i+1)}))
	}
	return Subject{Operation: o, Journal: entries}
}

func poolWaitB() Subject {
	o := ended("B", "attempt_timeout", eventlog.Success, timeline.Late, 1121.4)
	a := answered(1, 0.1, 1121.2, 1121.3, 200)
	a.Connection = &timeline.Span{FromMs: 0.1, ToMs: 1100.6}
	a.Exchanges[0].StartMs = 1100.9
	o.Attempts, o.ServerRequests, o.HTTPTimerMs, o.ToHeadersMs = []timeline.Attempt{a}, 1, new(1121.2), new(1121.1)
	o.Where = timeline.Where{ConnectionWait: 1100.5, Server: 20.6, Cleanup: 0.3}
	return Subject{Operation: o, Helpers: []*timeline.Operation{connectionHolder()}}
}

func connectionHolder() *timeline.Operation {
	return &timeline.Operation{Op: "x-helper", Phase: eventlog.Helper, T0Ns: -5e6, Attempts: []timeline.Attempt{answered(1, 0, 0.9, 1105.2, 200)}}
}

func poolWaitD() Subject {
	o := ended("D", "operation_deadline", eventlog.DeadlineExceeded, timeline.FailedInTime, 1000.8)
	wait := span(0.1, 1000.7)
	o.Attempts = []timeline.Attempt{{N: 1, Span: wait, End: eventlog.AttemptCancelled, Connection: &wait}}
	o.Stop = &timeline.Stop{By: "deadline", RequestedMs: 1000.6, ReturnedMs: 1000.8}
	return Subject{Operation: o, Helpers: []*timeline.Operation{connectionHolder()}}
}

// leader is the call that went first and pauses with the slot in its hand (D)
// or without it (E).
func leader(slots ...timeline.Span) *timeline.Operation {
	h := &timeline.Operation{Op: "x-first", Phase: eventlog.Helper, T0Ns: -1e6, Slots: slots}
	h.Attempts = []timeline.Attempt{answered(1, 0.1, 0.8, 0.9, 503), answered(2, 601.5, 621.9, 622, 200)}
	h.Backoffs = []timeline.Backoff{{After: 1, PlannedMs: 600, Span: span(1, 601.5), Finished: true}}
	return h
}

func heldD() Subject {
	o := admitted(ended("D", "operation_deadline", eventlog.Success, timeline.Kept, 641.3), 0.1, 621.2)
	o.Attempts = []timeline.Attempt{answered(1, 621.2, 641.1, 641.2, 200)}
	o.ServerRequests, o.Where = 1, timeline.Where{Admission: 621.1, Server: 19.9}
	return Subject{Operation: o, Helpers: []*timeline.Operation{leader(span(0, 622))}}
}

func heldE() Subject {
	o := admitted(ended("E", "slot_per_attempt", eventlog.Success, timeline.Kept, 20.9), 0.1, 0.1)
	o.Attempts = []timeline.Attempt{answered(1, 0.2, 20.7, 20.8, 200)}
	o.ServerRequests = 1
	return Subject{Operation: o, Helpers: []*timeline.Operation{leader(span(0, 1), span(601.5, 622))}}
}

func hangG() Subject {
	o := ended("G", "no_timeout", eventlog.CapReached, timeline.Unbounded, 8000.9)
	a := left(1, 0.1, 8000.8, eventlog.AttemptCancelled, "", 0)
	a.Exchanges[0].HandlerEndMs = nil
	o.Attempts, o.ServerRequests = []timeline.Attempt{a}, 1
	o.Stop = &timeline.Stop{By: "cap", RequestedMs: 8000.5, ReturnedMs: 8000.9}
	return Subject{Operation: o}
}

func transientD() Subject {
	o := ended("D", "operation_deadline", eventlog.Success, timeline.Kept, 203.5)
	o.Attempts = []timeline.Attempt{answered(1, 0.1, 51.2, 51.3, 503), answered(2, 152.1, 203.2, 203.4, 200)}
	o.Backoffs = []timeline.Backoff{{After: 1, PlannedMs: 100, Span: span(51.4, 152.1), Finished: true}}
	o.ServerRequests = 2
	return Subject{Operation: o}
}

func setup(name, question string, fields fault.Fault) *scenario.Scenario {
	return &scenario.Scenario{Name: name, Question: question, Type: name, Fault: fields, Slots: 1,
		Lesson:    "The budget belongs to the caller: it starts with the call, before the first queue, and covers everything after it.",
		Operation: scenario.Operation{BudgetMs: 1000, MaxAttempts: 3, BackoffMs: []float64{100, 200}},
		Attempt:   scenario.Limits{TotalMs: new(400.0), ConnectMs: new(300.0), SockConnectMs: new(300.0)}}
}
