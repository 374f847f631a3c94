package labserver

import (
	"context"
	"net/http"
	"slices"
	"sync"
	"time"

	"github.com/deadlinelab/deadlinelab/internal/clock"
	"github.com/deadlinelab/deadlinelab/internal/control"
	"github.com/deadlinelab/deadlinelab/internal/fault"
)

// gate holds the exchanges of one operation until each gets a permit. A permit
// has the instant from which it counts; one that comes before its exchange is
// kept for it. One timer per gate waits for the earliest instant, and all who
// may go then are woken together.
type gate struct {
	nudge *clock.Nudge

	mu       sync.Mutex
	permits  []time.Time // in order
	waiting  []*waiter   // in the order they came
	timer    *time.Timer // rings for the earliest permit while somebody waits
	called   time.Time   // the instant that ushers were called for last
	held     int
	released int
	arrived  chan struct{} // closed and replaced when one more is held
}

// waiter is one who waits at a gate.
type waiter struct {
	from   time.Time     // from when its permit counts
	passed chan struct{} // closed when it has one
}

// gates are those of one experiment, by operation.
type gates struct {
	nudge *clock.Nudge
	mu    sync.Mutex
	byID  map[string]*gate
}

func (g *gates) of(op string) *gate {
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.byID[op] == nil {
		g.byID[op] = &gate{nudge: g.nudge, arrived: make(chan struct{})}
	}
	return g.byID[op]
}

// maxPermits is how many a gate keeps for exchanges that have not come: no more
// exchanges than connections can be held at once.
const maxPermits = mostConnections

// release adds n permits that count from at on, all or none.
func (g *gate) release(n int, at time.Time) error {
	if err := g.permit(n, at); err != nil {
		return err
	}
	g.deal(maxPermits)
	return nil
}

func (g *gate) permit(n int, at time.Time) error {
	g.mu.Lock()
	defer g.mu.Unlock()
	if kept := len(g.permits); kept+n > maxPermits {
		return refuse(http.StatusConflict, "release as many as are held", "count %d: the gate keeps %d permits already, expected at most %d", n, kept, maxPermits)
	}
	i, _ := slices.BinarySearchFunc(g.permits, at, time.Time.Compare)
	g.permits = slices.Insert(g.permits, i, slices.Repeat([]time.Time{at}, n)...)
	return nil
}

// deal gives out up to most of the permits that count already and tells
// whether there was one. It wakes their owners after the lock is free, which the
// first of them needs at once.
func (g *gate) deal(most int) bool {
	passing := g.due(most)
	for _, w := range passing {
		close(w.passed)
	}
	return len(passing) > 0
}

// due takes off those who may pass now and sets the timer for the others.
func (g *gate) due(most int) []*waiter {
	g.mu.Lock()
	defer g.mu.Unlock()
	n, now := 0, time.Now()
	for n < min(most, len(g.permits), len(g.waiting)) && !g.permits[n].After(now) {
		g.waiting[n].from = g.permits[n]
		n++
	}
	passing := slices.Clone(g.waiting[:n])
	g.waiting = slices.Delete(g.waiting, 0, n)
	g.permits = slices.Delete(g.permits, 0, n)
	g.released += n
	g.arm()
	return passing
}

// pass waits for a permit and returns the instant from which it counted. It
// gives up at the expiry, when the client has left, or when the experiment has
// ended; a nil channel means never.
func (g *gate) pass(expiry <-chan time.Time, left, ended <-chan struct{}) (from time.Time, err error) {
	w := g.join()
	select {
	case <-w.passed:
		return w.from, nil
	case <-expiry:
		err = fault.ErrGateExpired
	case <-left:
		err = fault.ErrClientGone
	case <-ended:
		err = fault.ErrClosed
	}
	if !g.withdraw(w) {
		return w.from, nil
	}
	return time.Time{}, err
}

func (g *gate) join() *waiter {
	w := &waiter{passed: make(chan struct{})}
	g.mu.Lock()
	g.waiting = append(g.waiting, w)
	g.mu.Unlock()
	g.deal(maxPermits)
	return w
}

// withdraw takes w off, unless it has its permit.
func (g *gate) withdraw(w *waiter) bool {
	g.mu.Lock()
	defer g.mu.Unlock()
	i := slices.Index(g.waiting, w)
	if i < 0 {
		return false
	}
	g.waiting = slices.Delete(g.waiting, i, i+1)
	g.arm()
	return true
}

// arrive counts one more held exchange; leave takes it away again.
func (g *gate) arrive() {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.held++
	close(g.arrived)
	g.arrived = make(chan struct{})
}

func (g *gate) leave() {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.held--
}

// facts is what the API tells, and what to wait for to see it change.
func (g *gate) facts(id string) (control.Gate, <-chan struct{}) {
	g.mu.Lock()
	defer g.mu.Unlock()
	return control.Gate{Gate: id, Held: g.held, Released: g.released}, g.arrived
}

// await returns once n exchanges are held at once, with ctx's error, or with
// fault.ErrClosed once the experiment has ended.
func (g *gate) await(ctx context.Context, ended <-chan struct{}, id string, n int) (control.Gate, error) {
	for {
		facts, arrived := g.facts(id)
		if facts.Held >= n {
			return facts, nil
		}
		select {
		case <-arrived:
		case <-ctx.Done():
			return facts, ctx.Err()
		case <-ended:
			return facts, fault.ErrClosed
		}
	}
}
