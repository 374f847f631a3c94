package instrument

import (
	"sync"

	"github.com/deadlinelab/deadlinelab/internal/eventlog"
)

// Journal writes the events of one operation. Once the operation has finished
// only dials may still be heard of: they live on by themselves.
type Journal struct {
	Op      string
	Record  func(eventlog.Event) int64
	Moments *Moments
	Live    func(side string, e eventlog.Event)

	mu     sync.Mutex
	Sealed bool
}

// Add records e and returns its time.
func (j *Journal) Add(e eventlog.Event) int64 {
	j.mu.Lock()
	defer j.mu.Unlock()
	if j.Sealed && !livesOn(e.Kind) {
		return 0
	}
	return j.write(e)
}

// Finish records the operation's end, which happens once.
func (j *Journal) Finish(e eventlog.Event) {
	j.mu.Lock()
	defer j.mu.Unlock()
	if j.Sealed {
		return
	}
	j.Sealed = true
	j.write(e)
}

// Abandon seals the journal without an end: the run was given up.
func (j *Journal) Abandon() {
	j.mu.Lock()
	defer j.mu.Unlock()
	j.Sealed = true
}

func (j *Journal) write(e eventlog.Event) int64 {
	e.Op = j.Op
	e.TNs = j.Record(e)
	j.Moments.Happened(e)
	if j.Live != nil {
		j.Live(eventlog.ClientSide, e)
	}
	return e.TNs
}

func livesOn(k eventlog.Kind) bool {
	switch k {
	case eventlog.DNSStarted, eventlog.DNSFinished, eventlog.ConnectStarted, eventlog.ConnectFinished, eventlog.TLSStarted, eventlog.TLSFinished:
		return true
	}
	return false
}

// Moments lets the arrangements wait for the first event of a kind in one
// operation, on either side. Server events carry the client's time by then.
type Moments struct {
	mu      sync.Mutex
	awaited map[moment]chan eventlog.Event
}

type moment struct {
	op   string
	kind eventlog.Kind
}

// NewMoments returns a set in which nothing is awaited.
func NewMoments() *Moments { return &Moments{awaited: map[moment]chan eventlog.Event{}} }

// Await must come before the event; the channel gets the first one.
func (m *Moments) Await(op string, kind eventlog.Kind) <-chan eventlog.Event {
	m.mu.Lock()
	defer m.mu.Unlock()
	c := make(chan eventlog.Event, 1)
	m.awaited[moment{op, kind}] = c
	return c
}

// Happened wakes those who await e.
func (m *Moments) Happened(e eventlog.Event) {
	m.mu.Lock()
	defer m.mu.Unlock()
	key := moment{e.Op, e.Kind}
	if c, ok := m.awaited[key]; ok {
		delete(m.awaited, key)
		c <- e
	}
}

// Forget drops what an operation no longer waits for.
func (m *Moments) Forget(op string, kind eventlog.Kind) {
	m.mu.Lock()
	defer m.mu.Unlock()
	delete(m.awaited, moment{op, kind})
}
