package runner

import (
	"context"
	"fmt"
	"sync"
	"time"

	"github.com/deadlinelab/deadlinelab/internal/clock"
	"github.com/deadlinelab/deadlinelab/internal/control"
	"github.com/deadlinelab/deadlinelab/internal/eventlog"
	"github.com/deadlinelab/deadlinelab/internal/instrument"
	"github.com/deadlinelab/deadlinelab/internal/variants"
)

const (
	// leaksAfter is how long after the last operation of a series what its
	// clients still hold counts as leaked.
	leaksAfter = 200 * time.Millisecond
	// idleAfter is when idle connections are closed for that: their goroutines
	// need a moment to end.
	idleAfter = leaksAfter - 20*time.Millisecond
)

// cellKey names a series.
type cellKey struct{ scenario, variant string }

// used is what one plan item called through.
type used struct {
	item    Item
	clients []*client
	ended   time.Time
}

// series are the cells of a run, while their items are being carried out.
type series struct {
	mu    sync.Mutex
	cells map[cellKey]*cellInRun
}

// cellInRun keeps what has to be looked at when the series is over: the last
// item's client, and of the others those that did not come out clean.
type cellInRun struct {
	items  []Item // measured ones
	left   int    // items that have not ended
	kept   []used
	latest used
}

func newSeries(p *Plan) *series {
	s := &series{cells: map[cellKey]*cellInRun{}}
	for _, it := range p.Items {
		if it.Phase != eventlog.Measured || p.variants[it.Variant].External != nil {
			continue
		}
		k := cellKey{it.Scenario, it.Variant}
		if s.cells[k] == nil {
			s.cells[k] = &cellInRun{}
		}
		s.cells[k].items = append(s.cells[k].items, it)
		s.cells[k].left++
	}
	return s
}

// ended takes the clients of an item and returns its cell if that was the last
// one. What a warm-up leaves is not measured.
func (s *series) ended(u used) *cellInRun {
	u.closeIdle()
	if u.item.Phase != eventlog.Measured {
		closeClients(u.clients)
		return nil
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	c := s.cells[cellKey{u.item.Scenario, u.item.Variant}]
	if before := c.latest; before.clean() {
		closeClients(before.clients)
	} else {
		c.kept = append(c.kept, before)
	}
	c.latest = u
	if c.left--; c.left > 0 {
		return nil
	}
	return c
}

// close ends what was kept for series that did not get to their end.
func (s *series) close() {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, c := range s.cells {
		for _, u := range append(c.kept, c.latest) {
			closeClients(u.clients)
		}
	}
}

// clean tells whether nothing that could leak is left.
func (u used) clean() bool {
	k := u.holds()
	return k.Connections+k.Dials+k.Slots == 0
}

// holds counts what the item's clients hold, each shared thing once.
func (u used) holds() (k eventlog.Leaks) {
	conns, queues := map[*instrument.Connections]bool{}, map[chan struct{}]bool{}
	for _, c := range u.clients {
		conns[c.conns], queues[c.slots] = true, true
	}
	for set := range conns {
		open, dialing := set.Count()
		k.Connections, k.Dials = k.Connections+open, k.Dials+dialing
	}
	for queue := range queues {
		k.Slots += len(queue)
	}
	return k
}

// countLeaks looks at what the clients of a series hold once its last operation
// has been over for a while, and tries the last of them.
func (r *run) countLeaks(c *cellInRun) {
	all := append(c.kept, c.latest)
	defer func() {
		for _, u := range all {
			closeClients(u.clients)
		}
	}()
	if sleepUntil(r.work, c.latest.ended.Add(idleAfter)) != nil {
		return
	}
	for _, u := range all {
		u.closeIdle()
	}
	due := c.latest.ended.Add(leaksAfter)
	if sleepUntil(r.work, due) != nil {
		return
	}
	r.record(c, r.leaksOf(c, all, due))
	r.probe(c)
}

// closeIdle closes the connections that nobody uses. While a dial is under way
// it does not: net/http would end the dial, too.
func (u used) closeIdle() {
	if u.holds().Dials > 0 {
		return
	}
	for _, c := range u.clients {
		c.transport.CloseIdleConnections()
	}
}

// leaksOf is the most that any one client holds. Dials and goroutines come
// first: both change when the last idle connections are closed.
func (r *run) leaksOf(c *cellInRun, all []used, due time.Time) eventlog.Leaks {
	var k eventlog.Leaks
	for _, u := range all {
		k.Dials = max(k.Dials, u.holds().Dials)
	}
	goroutines := r.goroutines.At(due)
	for _, u := range all {
		for _, c := range u.clients {
			c.transport.CloseIdleConnections()
		}
		one := u.holds()
		k.Connections, k.Slots = max(k.Connections, one.Connections), max(k.Slots, one.Slots)
	}
	standing := r.outstanding(c.latest.item.Scenario)
	for _, it := range c.items {
		k.Goroutines = max(k.Goroutines, goroutines[r.label(it.Op)])
		handlers, connections := 0, 0
		for _, op := range it.Ops() {
			handlers, connections = handlers+standing[op].Busy, connections+standing[op].Connections
		}
		k.Handlers, k.ServerConnections = max(k.Handlers, handlers), max(k.ServerConnections, connections)
	}
	return k
}

// outstanding is what the server still holds for each operation of a scenario; a
// server that does not answer is found out elsewhere.
func (r *run) outstanding(scenario string) map[string]control.Outstanding {
	ctx, cancel := context.WithTimeout(r.work, callWithin)
	defer cancel()
	held := map[string]control.Outstanding{}
	known, err := r.control.Experiment(ctx, r.experiments[scenario].name)
	if err != nil {
		return held
	}
	for _, s := range known.Standing {
		held[s.Op] = s
	}
	return held
}

func (r *run) record(c *cellInRun, k eventlog.Leaks) {
	it := c.latest.item
	k.Scenario, k.Variant, k.Label, k.Probe = it.Scenario, it.Variant, it.Label, cellProbe(it.Scenario, it.Label)
	e := eventlog.Event{Kind: eventlog.LeaksCounted, Leaks: &k}
	e.TNs = r.cfg.Recorder.Record(e)
	if r.cfg.Live != nil {
		r.cfg.Live(eventlog.ClientSide, e)
	}
}

// probeBudget is the least time that a probe has: a client that still serves
// needs a fraction of it.
const probeBudget = time.Second

// probe makes one call through the last client of the series, after what the
// bench itself closed in it is open again. The call is not the variant's own
// but one attempt under one deadline: it is slots and pool that are tried.
func (r *run) probe(c *cellInRun) {
	it, through := c.latest.item, c.latest.clients[0]
	through.conns.Reopen()
	o := r.operation(it, cellProbe(it.Scenario, it.Label), eventlog.Probe, through)
	o.policy = variants.Policy{Budget: max(o.policy.Budget, probeBudget), MaxAttempts: 1}
	o.start.BudgetMs = clock.InMs(o.policy.Budget)
	if plain, ok := variants.Find(probeVariant); ok {
		o.do = plain.Do
	}
	o.perform(r.work)
}

// probeVariant has its one deadline at t0, before the slot.
const probeVariant = "operation_deadline"

// cellProbe is the operation that tries a client after its series.
func cellProbe(scenario, label string) string { return fmt.Sprintf("%s-%s-probe", scenario, label) }
