package labserver

import (
	"context"
	"net/http"
	"slices"
	"sync"
	"time"

	"github.com/deadlinelab/deadlinelab/internal/control"
	"github.com/deadlinelab/deadlinelab/internal/eventlog"
	"github.com/deadlinelab/deadlinelab/internal/fault"
)

// gateLimit is the longest that a gate holds an exchange.
const gateLimit = fault.MaxDelayMs * time.Millisecond

// gate holds the exchanges of one operation until each gets a permit. A permit
// has the instant from which it counts; one that comes before its exchange is
// kept for it.
type gate struct {
	mu       sync.Mutex
	permits  []time.Time // in order
	held     int
	released int
	opened   chan struct{} // closed and replaced when permits are added
	arrived  chan struct{} // closed and replaced when one more is held
}

// gates are those of one experiment, by operation.
type gates struct {
	mu   sync.Mutex
	byID map[string]*gate
}

func (g *gates) of(op string) *gate {
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.byID[op] == nil {
		g.byID[op] = &gate{opened: make(chan struct{}), arrived: make(chan struct{})}
	}
	return g.byID[op]
}

// announce wakes all who wait for that change. Those who are held hear of
// permits only: fifty that leave at one instant must not wake each other.
func announce(change *chan struct{}) {
	close(*change)
	*change = make(chan struct{})
}

// maxPermits is how many a gate keeps for exchanges that have not come: no more
// exchanges than connections can be held at once.
const maxPermits = mostConnections

// release adds n permits that count from at on, all or none.
func (g *gate) release(n int, at time.Time) error {
	g.mu.Lock()
	defer g.mu.Unlock()
	if kept := len(g.permits); kept+n > maxPermits {
		return refuse(http.StatusConflict, "release as many as are held", "count %d: the gate keeps %d permits already, expected at most %d", n, kept, maxPermits)
	}
	i, _ := slices.BinarySearchFunc(g.permits, at, time.Time.Compare)
	g.permits = slices.Insert(g.permits, i, slices.Repeat([]time.Time{at}, n)...)
	announce(&g.opened)
	return nil
}

// arrive counts one more held exchange; leave takes it away again.
func (g *gate) arrive() {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.held++
	announce(&g.arrived)
}

func (g *gate) leave() {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.held--
}

// take uses up the earliest permit if it counts already. Otherwise it returns
// when that permit will count (zero = there is none) and what to wait for.
func (g *gate) take() (from time.Time, ok bool, opened <-chan struct{}) {
	g.mu.Lock()
	defer g.mu.Unlock()
	if len(g.permits) == 0 {
		return time.Time{}, false, g.opened
	}
	from = g.permits[0]
	if time.Until(from) > 0 {
		return from, false, g.opened
	}
	g.permits = g.permits[1:]
	g.released++
	return from, true, nil
}

// facts is what the API tells, and what to wait for to see it change.
func (g *gate) facts(id string) (control.Gate, <-chan struct{}) {
	g.mu.Lock()
	defer g.mu.Unlock()
	return control.Gate{Gate: id, Held: g.held, Released: g.released}, g.arrived
}

// await returns once n exchanges are held at once, or with ctx's error.
func (g *gate) await(ctx context.Context, id string, n int) (control.Gate, error) {
	for {
		facts, arrived := g.facts(id)
		if facts.Held >= n {
			return facts, nil
		}
		select {
		case <-arrived:
		case <-ctx.Done():
			return facts, ctx.Err()
		}
	}
}

// Hold waits at the operation's gate.
func (ex *exchange) Hold() error {
	ex.readBody()
	if err := ex.sendHead(); err != nil {
		return err
	}
	id := ex.op.id
	g := ex.x.gates.of(id)
	since := ex.x.clock.At(ex.record(eventlog.Event{Kind: eventlog.GateHeld, Gate: id}))
	g.arrive()
	defer g.leave()
	from, err := ex.pass(g, since.Add(ex.x.gateLimit()))
	if err != nil {
		return ex.stuck(id, err)
	}
	if from.Before(since) {
		from = since // the permit was there first: nothing was late
	}
	due := ex.x.clock.Ns(from)
	ex.record(eventlog.Event{Kind: eventlog.GateReleased, Gate: id, DueNs: due, LateMs: float64(ex.x.clock.Now()-due) / 1e6})
	return nil
}

// pass waits for a permit and returns the instant from which it counted.
func (ex *exchange) pass(g *gate, expires time.Time) (time.Time, error) {
	expiry := time.NewTimer(time.Until(expires))
	defer expiry.Stop()
	for {
		from, ok, opened := g.take()
		if ok {
			return from, nil
		}
		if err := ex.awaitPermit(from, opened, expiry.C); err != nil {
			return time.Time{}, err
		}
	}
}

// awaitPermit returns nil when it is worth looking for a permit again.
func (ex *exchange) awaitPermit(from time.Time, opened <-chan struct{}, expiry <-chan time.Time) error {
	var due <-chan time.Time
	if !from.IsZero() {
		ex.x.nudge.At(from)
		t := time.NewTimer(time.Until(from))
		defer t.Stop()
		due = t.C
	}
	select {
	case <-due:
		return nil
	case <-opened:
		return nil
	case <-expiry:
		return fault.ErrGateExpired
	case <-ex.stops():
		return fault.ErrClientGone
	case <-ex.x.ended:
		return fault.ErrClosed
	}
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
