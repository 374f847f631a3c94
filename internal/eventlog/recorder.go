package eventlog

import (
	"sync"
	"sync/atomic"

	"github.com/deadlinelab/deadlinelab/internal/clock"
)

// Recorder times and numbers events and keeps them until they are discarded.
// It is safe for concurrent use. Record never waits for a reader.
//
// The lock of one event is its lane's. Seq is given later, by whoever reads, in
// the order of the times: nothing can come before what all lanes hold at once.
type Recorder struct {
	clk     clock.Clock
	header  Header
	exp     string        // of events that name none; empty on the client's side
	keep    atomic.Int64  // most events kept, 0 = no limit
	held    atomic.Int64  // pieces of memory in use
	urgent  chan struct{} // an operation has finished, or the recorder was closed
	lanes   [laneCount]lane
	tickets *atomic.Uint64 // events recorded; nil where nobody needs to know
	waiting atomic.Bool    // somebody may wait in Changed

	mu     sync.Mutex // before a lane's
	queues [laneCount]queue
	order  []*slot // by seq; the first skip of them are dropped
	skip   int
	first  uint64 // oldest seq still readable
	last   uint64 // newest seq given
	lost   int64
	closed bool
	wake   chan struct{} // nil while nobody waits in Changed
}

// Option changes how a Recorder keeps events.
type Option func(*Recorder)

// lossAtOnce is how many events are dropped when the limit of Retain is reached.
const lossAtOnce = 256

// Retain limits the events kept to n, at least 512, and what the last piece of
// each lane holds beyond. Above it the oldest 256 are dropped, counted by Lost,
// and an events_lost event is recorded. Without it nothing is ever dropped.
func Retain(n int) Option {
	return func(r *Recorder) { r.keep.Store(int64(max(n, 2*lossAtOnce))) }
}

// RetainAtLeast raises the limit of Retain to n; it never lowers it.
func (r *Recorder) RetainAtLeast(n int) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.keep.Store(max(r.keep.Load(), int64(n)))
}

// NewRecorder opens a log: log_opened takes seq 1. Empty schema, clock and boot
// id of h are filled in. On the server's side the recorder stamps every event
// with the header's experiment.
func NewRecorder(clk clock.Clock, h Header, options ...Option) *Recorder {
	r := &Recorder{clk: clk, header: completed(h), urgent: make(chan struct{}, 1), first: 1}
	for _, o := range options {
		o(r)
	}
	if standsStill(clk) {
		r.tickets = new(atomic.Uint64)
	}
	if r.header.Side == ServerSide {
		r.exp = r.header.Experiment
	}
	r.Record(Event{Kind: LogOpened, Header: &r.header})
	return r
}

// standsStill tells a clock that does not move by itself, as in virtual time:
// there every event of an instant has the same time, and only its ticket tells
// the order. Where time moves, one shared counter would be what costs most.
func standsStill(clk clock.Clock) bool {
	first := clk.Now()
	for range 100 {
		if clk.Now() != first {
			return false
		}
	}
	return true
}

func completed(h Header) Header {
	if h.Schema == "" {
		h.Schema, h.SchemaVersion = Schema, SchemaVersion
	}
	if h.Clock == "" {
		h.Clock = clock.Name
	}
	if h.BootID == "" {
		h.BootID = clock.BootID()
	}
	return h
}

// Record takes down e with its place in the log and its time, in one step, and
// returns the time. e's own Seq and TNs are ignored. After Close nothing is
// recorded; the time is returned all the same.
func (r *Recorder) Record(e Event) int64 {
	now, begun := r.lanes[laneOf(e.Op)].add(&e, r.clk, r.tickets)
	if begun && r.held.Add(1)*pieceSize > r.keep.Load() && r.keep.Load() > 0 {
		r.makeRoom(e.Exp)
	}
	if r.waiting.Load() {
		r.announce()
	}
	if e.Kind == OperationFinished {
		r.hurry()
	}
	return now
}

// makeRoom drops the oldest events above the limit. It is asked only when a
// piece is begun, so that the limit costs an event nothing.
func (r *Recorder) makeRoom(experiment string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.collect()
	if r.last+1-r.first <= uint64(r.keep.Load()) || r.closed {
		return
	}
	r.drop(r.first + lossAtOnce)
	r.lost += lossAtOnce
	lost := Event{Kind: EventsLost, Exp: experiment, Count: lossAtOnce}
	if _, begun := r.lanes[0].add(&lost, r.clk, r.tickets); begun {
		r.held.Add(1)
	}
}

// collect gives everything recorded so far its seq: by time and, where a clock
// stands still, by ticket. The caller holds mu.
func (r *Recorder) collect() {
	if r.tickets != nil && r.tickets.Load() == r.last {
		return
	}
	for i := range r.lanes {
		r.lanes[i].mu.Lock()
	}
	for i := range r.lanes {
		r.queues[i].extend(&r.lanes[i])
	}
	for i := range r.lanes {
		r.lanes[i].mu.Unlock()
	}
	for q := r.earliest(); q != nil; q = r.earliest() {
		s := q.next()
		q.ordered++
		r.last++
		s.seq = r.last
		r.order = append(r.order, s)
	}
}

// earliest is the queue whose next event is the first of all, nil at the end.
func (r *Recorder) earliest() (first *queue) {
	var least *slot
	for i := range r.queues {
		s := r.queues[i].next()
		if s == nil || least != nil && (s.tNs > least.tNs || s.tNs == least.tNs && s.seq > least.seq) {
			continue
		}
		first, least = &r.queues[i], s
	}
	return first
}

// drop forgets the events below seq next. The caller holds mu.
func (r *Recorder) drop(next uint64) {
	if next <= r.first {
		return
	}
	r.skip += int(next - r.first)
	r.first = next
	for i := range r.queues {
		r.held.Add(-int64(r.queues[i].release(next)))
	}
	if r.skip*2 >= len(r.order) {
		left := copy(r.order, r.order[r.skip:])
		clear(r.order[left:])
		r.order, r.skip = r.order[:left], 0
	}
}

// announce wakes those who wait.
func (r *Recorder) announce() {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.waiting.Store(false)
	if r.wake != nil {
		close(r.wake)
		r.wake = nil
	}
}

// hurry makes Copy write now.
func (r *Recorder) hurry() {
	select {
	case r.urgent <- struct{}{}:
	default:
	}
}

// Close ends the log. What was recorded stays readable. It may be called twice.
func (r *Recorder) Close() {
	r.mu.Lock()
	r.closed = true
	for i := range r.lanes {
		r.lanes[i].mu.Lock()
		r.lanes[i].closed = true
		r.lanes[i].mu.Unlock()
	}
	r.mu.Unlock()
	r.announce()
	r.hurry()
}

// ended tells whether the recorder is closed and holds nothing after seq after.
func (r *Recorder) ended(after uint64) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.collect()
	return r.closed && r.last <= after
}
