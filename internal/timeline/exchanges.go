package timeline

import (
	"cmp"
	"slices"

	"github.com/deadlinelab/deadlinelab/internal/eventlog"
)

// serverSteps is what each server event does to its exchange; at is its time in
// ms from t0.
var serverSteps = map[eventlog.Kind]func(x *exchange, e *eventlog.Event, t int64, at float64){
	eventlog.ServerRequestStarted: func(x *exchange, e *eventlog.Event, t int64, at float64) {
		x.start, x.started, x.StartMs, x.attempt = t, true, at, e.Attempt
	},
	eventlog.FaultFired: func(x *exchange, e *eventlog.Event, t int64, _ float64) { x.faultFired(e, t) },
	eventlog.GateReleased: func(x *exchange, e *eventlog.Event, t int64, _ float64) {
		x.waited = max(x.waited, t)
		if e.DueNs != 0 && finite(e.LateMs) {
			x.gates = append(x.gates, fire{due: t - nanoseconds(e.LateMs), lateMs: e.LateMs})
		}
	},
	eventlog.ServerHeadersPrepared: func(x *exchange, e *eventlog.Event, _ int64, at float64) {
		x.PreparedMs, x.Status = new(at), cmp.Or(e.Status, x.Status)
	},
	eventlog.ServerHeadersWritten: func(x *exchange, e *eventlog.Event, t int64, at float64) {
		x.HeadersMs, x.Status, x.headed = new(at), cmp.Or(e.Status, x.Status), t
	},
	eventlog.ServerBodyWritten: func(x *exchange, e *eventlog.Event, _ int64, _ float64) {
		x.BytesWritten, x.sendable = x.BytesWritten+e.Bytes, x.waited
	},
	eventlog.ServerBodyFinished: func(x *exchange, _ *eventlog.Event, t int64, at float64) { x.BodyMs, x.bodied = new(at), t },
	eventlog.ServerClientGone: func(x *exchange, e *eventlog.Event, t int64, at float64) {
		if !x.sawGone {
			x.gone, x.sawGone, x.ClientGoneMs, x.ClientGoneHow = t, true, new(at), e.How
		}
	},
	eventlog.ServerHandlerFinished: func(x *exchange, _ *eventlog.Event, t int64, at float64) {
		if x.handlerFinished++; x.handlerFinished == 1 {
			x.end, x.ended, x.HandlerEndMs = t, true, new(at)
		}
	},
}

// readServer follows the server's events of one operation in their order.
func (d *builder) readServer(events Events, at []int32, offset int64) {
	var event eventlog.Event
	d.accepted = farthest
	for _, i := range at {
		event = events.At(int(i))
		e := &event
		t := instant(e.TNs) + offset
		switch e.Kind {
		case eventlog.EffectCommitted:
			d.commits++
		case eventlog.Unscripted:
			d.unscripted = true
		case eventlog.ConnectionAccepted:
			d.accepted = min(d.accepted, t)
		case eventlog.ConnectionClosed:
			d.closings = append(d.closings, closing{e.Conn, t})
		case eventlog.GateExpired:
			d.expired = cmp.Or(e.Gate, d.id)
		}
		if x := d.exchangeOf(e); x != nil {
			d.exchangeEvent(x, e, t, offset)
		}
	}
	slices.SortStableFunc(d.exchanges, func(a, b exchange) int { return cmp.Compare(a.N, b.N) })
}

func (d *builder) exchangeEvent(x *exchange, e *eventlog.Event, t, offset int64) {
	x.Conn = cmp.Or(x.Conn, e.Conn)
	if e.Kind == eventlog.FaultArmed {
		x.armed, x.due = true, t
		if e.DueNs != 0 {
			x.due = instant(e.DueNs) + offset
		}
		x.FaultDueMs = new(millis(x.due - d.t0))
	}
	if step, known := serverSteps[e.Kind]; known {
		step(x, e, t, millis(t-d.t0))
	}
}

// exchangeOf is the exchange of an event: its number, else the last one on its
// connection. Connections themselves are no part of an exchange.
func (d *builder) exchangeOf(e *eventlog.Event) *exchange {
	if e.Kind == eventlog.ConnectionAccepted || e.Kind == eventlog.ConnectionClosed {
		return nil
	}
	if e.Exchange > 0 {
		return d.exchange(e.Exchange)
	}
	for i := len(d.exchanges) - 1; i >= 0 && e.Conn != ""; i-- {
		if d.exchanges[i].Conn == e.Conn {
			return &d.exchanges[i]
		}
	}
	return nil
}

// faultFired: the exchange shows the largest lateness of its fires.
func (x *exchange) faultFired(e *eventlog.Event, t int64) {
	if x.armed {
		x.waited = max(x.waited, x.due)
	}
	x.armed = false
	if !finite(e.LateMs) {
		return
	}
	x.fires = append(x.fires, fire{due: t - nanoseconds(e.LateMs), lateMs: e.LateMs})
	if late := milli(e.LateMs); x.FaultLateMs == nil || late > *x.FaultLateMs {
		x.FaultLateMs = new(late)
	}
}

// assignExchanges gives every exchange its attempt; bound widens the window by
// what is unknown about the server's clock.
func (d *builder) assignExchanges(bound int64) {
	traced := false
	for i := range d.attempts {
		traced = traced || len(d.attempts[i].conns) > 0
	}
	for i := range d.exchanges {
		x := &d.exchanges[i]
		x.assigned = d.attemptOf(x, traced, bound)
	}
}

// attemptOf is the attempt that an event names, else the latest one begun
// before the exchange that had its connection. A client that does not tell its
// connections leaves the window alone to decide.
func (d *builder) attemptOf(x *exchange, traced bool, bound int64) int {
	for i := len(d.attempts) - 1; i >= 0; i-- {
		a := &d.attempts[i]
		switch {
		case x.attempt > 0:
			if a.N == x.attempt {
				return i
			}
		case a.from > x.start+bound:
		case !traced || x.Conn == "" || slices.Contains(a.conns, x.Conn):
			return i
		}
	}
	if d.op.Client != "" && len(d.attempts) > 0 && x.attempt == 0 && d.attempts[0].from-x.start <= heardWithin {
		return 0 // a client in another process may be heard a little late
	}
	return nobodyAttempt
}

const nobodyAttempt = -1
