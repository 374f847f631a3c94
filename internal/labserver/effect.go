package labserver

import (
	"sync"

	"github.com/deadlinelab/deadlinelab/internal/eventlog"
)

const keyHeader = "Idempotency-Key"

// effects are the idempotency keys under which a side effect has happened.
type effects struct {
	mu   sync.Mutex
	keys map[string]bool
}

// first tells whether nothing has happened under key so far.
func (e *effects) first(key string) bool {
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.keys[key] {
		return false
	}
	if e.keys == nil {
		e.keys = map[string]bool{}
	}
	e.keys[key] = true
	return true
}

// Commit makes the side effect of the request happen. A request without a key
// has one every time.
func (ex *exchange) Commit() bool {
	key := ex.request.Header.Get(keyHeader)
	if key != "" && !ex.x.effects.first(key) {
		return false
	}
	ex.record(eventlog.Event{Kind: eventlog.EffectCommitted, Key: key})
	return true
}
