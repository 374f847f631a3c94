package labserver

import (
	"time"

	"github.com/deadlinelab/deadlinelab/internal/eventlog"
	"github.com/deadlinelab/deadlinelab/internal/fault"
)

// gateLimit is the longest that a gate holds an exchange.
const gateLimit = fault.MaxDelayMs * time.Millisecond

// Hold waits at the operation's gate.
func (ex *exchange) Hold() error {
	ex.readBody()
	if err := ex.sendHead(); err != nil {
		return err
	}
	id := ex.op.id
	g := ex.x.gates.of(id)
	since := ex.x.clock.At(ex.record(eventlog.Event{Kind: eventlog.GateHeld, Gate: id}))
	from, err := ex.holdAt(g, since.Add(ex.x.gateLimit()))
	if err != nil {
		return ex.stuck(id, err)
	}
	if from.Before(since) {
		from = since // the permit was there first: nothing was late
	}
	due := ex.x.clock.Ns(from)
	ex.record(eventlog.Event{Kind: eventlog.GateReleased, Gate: id, DueNs: due, LateMs: float64(ex.x.clock.Now()-due) / 1e6})
	ex.released = true
	return nil
}

// holdAt counts as held at g until it returns.
func (ex *exchange) holdAt(g *gate, expires time.Time) (from time.Time, err error) {
	expiry := time.NewTimer(time.Until(expires))
	defer expiry.Stop()
	g.arrive()
	defer g.leave()
	return g.pass(expiry.C, ex.stops(), ex.x.ended)
}

// stuck records an expiry. The handler's error closes the connection.
func (ex *exchange) stuck(id string, err error) error {
	if err == fault.ErrGateExpired {
		ex.record(eventlog.Event{Kind: eventlog.GateExpired, Gate: id})
	}
	return err
}

// gateLimit is the experiment's: its ttl if that is shorter.
func (x *experiment) gateLimit() time.Duration {
	if x.ttl > 0 {
		return min(x.ttl, gateLimit)
	}
	return gateLimit
}
