package runner

import (
	"sync"
	"time"

	"github.com/deadlinelab/deadlinelab/internal/scenario"
)

// Starts are paced: a burst of operations would measure itself. Cancels that
// come too close to each other do so visibly, hence their wider gap.
const (
	startGap  = time.Millisecond
	cancelGap = 5 * time.Millisecond
)

// startAll starts the items in order, at most Parallel at once and of clients
// in processes of their own no more than their shares, and returns when all have
// ended or the run was given up. An item that has to wait for a place holds up
// those after it: the cells stay interleaved.
func (r *run) startAll() {
	shares := sharesOf(r.plan)
	places, ofClients := make(chan struct{}, r.cfg.Parallel), placesOf(shares)
	var items sync.WaitGroup
	defer r.series.close()
	defer items.Wait()
	p := &pace{last: map[string]time.Time{}}
	for _, it := range r.plan.Items {
		n, own := min(it.Callers, r.cfg.Parallel), shares[it.Variant]
		part, ofClient := own.takes(r.plan.byName[it.Scenario]), ofClients[own.of]
		if !r.acquire(places, n) || !r.acquire(ofClient, part) {
			return
		}
		at := p.next(r.plan.byName[it.Scenario], it)
		items.Go(func() {
			over := r.startAt(at, it)
			release(places, n)
			release(ofClient, part)
			if over != nil {
				r.countLeaks(over)
			}
		})
		if sleepUntil(r.work, p.at) != nil {
			return
		}
	}
}

func release(places <-chan struct{}, n int) {
	for range n {
		<-places
	}
}

// acquire waits for n places: every caller of an item needs one.
func (r *run) acquire(places chan<- struct{}, n int) bool {
	for range n {
		select {
		case places <- struct{}{}:
		case <-r.work.Done():
			return false
		}
	}
	return true
}

// startAt carries the item out and returns its cell if that was the last item.
// What a client in a process of its own leaves behind is not counted.
func (r *run) startAt(at time.Time, it Item) (over *cellInRun) {
	if sleepUntil(r.work, at) != nil {
		return nil
	}
	r.count(it.Callers, 0)
	v := r.plan.variants[it.Variant]
	if v.External != nil {
		if err := r.callExternal(it, v.External); err != nil {
			r.lost(err)
		}
		return nil
	}
	through := used{item: it, clients: newClients(r.plan.byName[it.Scenario], v.Tune, r.cfg.Dial)}
	if err := r.throughVariant(it, through.clients); err != nil {
		r.lost(err)
	}
	through.ended = time.Now()
	return r.series.ended(through)
}

// count keeps the figures of Progress.
func (r *run) count(running, done int) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.running += running
	r.result.Done += done
	if r.cfg.Progress != nil {
		r.cfg.Progress(Progress{Done: r.result.Done, Running: r.running, Total: r.plan.Total()})
	}
}

// pace chooses when items start.
type pace struct {
	at   time.Time            // before jitter
	last map[string]time.Time // start of the last operation of each scenario whose starts are kept apart
}

// next is the start of the item: at least startGap after the one before it,
// and cancelGap after the last one of a cancel scenario, plus its own phase; or
// at its instant in the second.
func (p *pace) next(s *scenario.Scenario, it Item) time.Time {
	p.at = latest(time.Now(), p.at.Add(startGap))
	switch {
	case it.InSecond != nil:
		return p.inSecond(it)
	case s.Fault.Arrangement().CancelOn != "":
		return p.apart(it, latest(p.at.Add(it.Jitter), p.last[it.Scenario].Add(cancelGap)))
	}
	return p.at.Add(it.Jitter)
}

// inSecond is the item's next instant, which no other of its scenario has.
func (p *pace) inSecond(it Item) time.Time {
	return p.apart(it, nextInSecond(latest(p.at, p.last[it.Scenario].Add(soonestGap)), *it.InSecond))
}

func (p *pace) apart(it Item, at time.Time) time.Time {
	p.last[it.Scenario] = at
	return at
}

// wait is how long an item waits for its instant in the second, after from the
// start of a plan that begins with a second.
func (p *pace) wait(it Item, after time.Duration) time.Duration {
	if it.InSecond == nil {
		return 0
	}
	p.at = time.Time{}.Add(after)
	return p.inSecond(it).Sub(p.at)
}

func latest(a, b time.Time) time.Time {
	if a.After(b) {
		return a
	}
	return b
}
