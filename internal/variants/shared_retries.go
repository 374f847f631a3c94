package variants

import "sync"

// RetryBudget bounds what the callers of one client may repeat together, as a
// share of what they call: when an upstream fails for all of them, retries
// must not multiply its load. The zero value has seen nothing yet; nil is a
// caller of its own, whose retries nothing bounds but its policy. It is safe
// for concurrent use.
type RetryBudget struct {
	mu      sync.Mutex
	calls   int // operations that made their first attempt
	retries int // further attempts that were allowed
}

// Call counts an operation: its first attempt is always allowed.
func (b *RetryBudget) Call() {
	if b == nil {
		return
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	b.calls++
}

// Retry tells whether one more attempt keeps the retries within percent of the
// calls counted so far, and counts it if so.
func (b *RetryBudget) Retry(percent int) bool {
	if b == nil {
		return true
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	if (b.retries+1)*100 > b.calls*percent {
		return false
	}
	b.retries++
	return true
}
