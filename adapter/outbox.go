package adapter

import (
	"encoding/json"
	"io"
	"sync"
	"time"
)

// outbox is everything on its way to the bench. Time and place in the queue are
// taken in one step under one lock, and nobody who reports waits for the pipe.
type outbox struct {
	clock  clock
	wake   chan struct{}
	closed chan struct{}
	done   chan struct{} // the writer has ended; err is set

	mu      sync.Mutex
	pending []byte
	err     error
}

func newOutbox(w io.Writer) *outbox {
	o := &outbox{clock: newClock(), wake: make(chan struct{}, 1), closed: make(chan struct{}), done: make(chan struct{})}
	go o.write(w)
	return o
}

// event reports e as of now, and returns that instant.
func (o *outbox) event(e Event) time.Time {
	o.mu.Lock()
	now := time.Now()
	e.Type, e.TNs = TypeEvent, o.clock.ns(now)
	o.append(e)
	o.mu.Unlock()
	return now
}

// hello answers the bench.
func (o *outbox) hello(h Hello) {
	o.mu.Lock()
	o.append(h)
	o.mu.Unlock()
}

// append needs mu.
func (o *outbox) append(message any) {
	line, err := json.Marshal(message)
	if err != nil {
		panic("adapter: a message that cannot be encoded: " + err.Error()) // strings and finite numbers always can
	}
	o.pending = append(append(o.pending, line...), '\n')
	select {
	case o.wake <- struct{}{}:
	default:
	}
}

func (o *outbox) take() []byte {
	o.mu.Lock()
	defer o.mu.Unlock()
	lines := o.pending
	o.pending = nil
	return lines
}

// write ends when the outbox is closed and empty, or w takes no more.
func (o *outbox) write(w io.Writer) {
	defer close(o.done)
	for open := true; open; {
		select {
		case <-o.wake:
		case <-o.closed:
			open = false
		}
		if lines := o.take(); len(lines) > 0 {
			if _, o.err = w.Write(lines); o.err != nil {
				return
			}
		}
	}
}
