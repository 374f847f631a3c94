package runner

import (
	"sync"

	"github.com/deadlinelab/deadlinelab/internal/eventlog"
)

// journal writes the events of one operation. Once the operation has finished
// only dials may still be heard of: they live on by themselves.
type journal struct {
	op      string
	record  func(eventlog.Event) int64
	moments *moments
	live    func(side string, e eventlog.Event)

	mu     sync.Mutex
	sealed bool
}

// add records e and returns its time.
func (j *journal) add(e eventlog.Event) int64 {
	j.mu.Lock()
	defer j.mu.Unlock()
	if j.sealed && !livesOn(e.Kind) {
		return 0
	}
	return j.write(e)
}

// finish records the operation's end, which happens once.
func (j *journal) finish(e eventlog.Event) {
	j.mu.Lock()
	defer j.mu.Unlock()
	if j.sealed {
		return
	}
	j.sealed = true
	j.write(e)
}

// abandon seals the journal without an end: the run was given up.
func (j *journal) abandon() {
	j.mu.Lock()
	defer j.mu.Unlock()
	j.sealed = true
}

func (j *journal) write(e eventlog.Event) int64 {
	e.Op = j.op
	e.TNs = j.record(e)
	j.moments.happened(e)
	if j.live != nil {
		j.live(eventlog.ClientSide, e)
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

// moments lets the arrangements wait for the first event of a kind in one
// operation, on either side. Server events carry the client's time by then.
type moments struct {
	mu      sync.Mutex
	awaited map[moment]chan eventlog.Event
}

type moment struct {
	op   string
	kind eventlog.Kind
}

func newMoments() *moments { return &moments{awaited: map[moment]chan eventlog.Event{}} }

// await must come before the event; the channel gets the first one.
func (m *moments) await(op string, kind eventlog.Kind) <-chan eventlog.Event {
	m.mu.Lock()
	defer m.mu.Unlock()
	c := make(chan eventlog.Event, 1)
	m.awaited[moment{op, kind}] = c
	return c
}

func (m *moments) happened(e eventlog.Event) {
	m.mu.Lock()
	defer m.mu.Unlock()
	key := moment{e.Op, e.Kind}
	if c, ok := m.awaited[key]; ok {
		delete(m.awaited, key)
		c <- e
	}
}

// forget drops what an operation no longer waits for.
func (m *moments) forget(op string, kind eventlog.Kind) {
	m.mu.Lock()
	defer m.mu.Unlock()
	delete(m.awaited, moment{op, kind})
}
