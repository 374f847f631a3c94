package labserver

import (
	"slices"
	"sync"
)

// running are the exchanges whose handler has not ended.
type running struct {
	mu        sync.Mutex
	exchanges map[*exchange]bool
	stopped   bool
	all       sync.WaitGroup
}

// enter tells whether ex may run: not once the experiment ends.
func (r *running) enter(ex *exchange) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.stopped {
		return false
	}
	r.exchanges[ex] = true
	r.all.Add(1)
	return true
}

func (r *running) leave(ex *exchange) {
	r.mu.Lock()
	delete(r.exchanges, ex)
	r.mu.Unlock()
	r.all.Done()
}

// stop lets nobody in any more and names the operations of those inside.
func (r *running) stop() []string {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.stopped = true
	var ops []string
	for ex := range r.exchanges {
		ops = append(ops, ex.op.id)
	}
	slices.Sort(ops)
	return slices.Compact(ops)
}

func (r *running) wait() { r.all.Wait() }

func (r *running) count() int {
	r.mu.Lock()
	defer r.mu.Unlock()
	return len(r.exchanges)
}
