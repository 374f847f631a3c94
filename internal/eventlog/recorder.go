package eventlog

import (
	"context"
	"io"
	"slices"
	"sync"

	"github.com/deadlinelab/deadlinelab/internal/clock"
)

// chunkSize keeps one chunk near 90 KB: the allocation that every chunkSize-th
// Record pays stays in the microseconds.
const chunkSize = 256

// Recorder numbers and times events and keeps them until they are discarded.
// It is safe for concurrent use. Record never waits for a reader.
type Recorder struct {
	clk    clock.Clock
	header Header
	keep   int           // most events kept, 0 = no limit
	urgent chan struct{} // an operation has finished, or the recorder was closed

	mu     sync.Mutex
	chunks []*[chunkSize]Event
	spare  *[chunkSize]Event // the chunk dropped last, used again
	base   uint64            // seq of chunks[0][0]
	first  uint64            // oldest seq still readable
	last   uint64
	lost   int64
	closed bool
	wake   chan struct{} // nil while nobody waits in Changed
}

// Option changes how a Recorder keeps events.
type Option func(*Recorder)

// Retain limits the events kept to about n (rounded up to whole chunks of 256,
// at least two). Beyond it the oldest are dropped, counted by Lost, and an
// events_lost event is recorded. Without it nothing is ever dropped.
func Retain(n int) Option {
	return func(r *Recorder) { r.keep = max(n, 2*chunkSize) }
}

// NewRecorder opens a log: log_opened takes seq 1. Empty schema, clock and boot
// id of h are filled in. On the server's side the recorder stamps every event
// with the header's experiment.
func NewRecorder(clk clock.Clock, h Header, options ...Option) *Recorder {
	r := &Recorder{clk: clk, header: completed(h), urgent: make(chan struct{}, 1), base: 1, first: 1}
	for _, o := range options {
		o(r)
	}
	r.Record(Event{Kind: LogOpened, Header: &r.header})
	return r
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

// Record gives e its seq and time in one step and returns the time. e's own Seq
// and TNs are ignored. After Close nothing is recorded; the time is returned
// all the same.
func (r *Recorder) Record(e Event) int64 {
	if e.Exp == "" && r.header.Side == ServerSide {
		e.Exp = r.header.Experiment
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.closed {
		return r.clk.Now()
	}
	r.makeRoom(e.Exp)
	e.TNs = r.clk.Now()
	r.add(&e)
	r.announce(e.Kind == OperationFinished)
	return e.TNs
}

// add appends e with the next seq. The caller holds mu.
func (r *Recorder) add(e *Event) {
	at := r.last + 1 - r.base
	if at/chunkSize == uint64(len(r.chunks)) {
		r.chunks = append(r.chunks, r.newChunk())
	}
	r.last++
	e.Seq = r.last
	r.chunks[at/chunkSize][at%chunkSize] = *e
}

func (r *Recorder) newChunk() *[chunkSize]Event {
	if c := r.spare; c != nil {
		r.spare = nil
		return c
	}
	return new([chunkSize]Event)
}

// makeRoom drops the oldest chunk when the limit is reached. The caller holds mu.
func (r *Recorder) makeRoom(experiment string) {
	if r.keep == 0 || r.last+1-r.base < uint64(r.keep+chunkSize-1)/chunkSize*chunkSize {
		return
	}
	next := r.base + chunkSize
	lost := int64(next - min(max(r.first, r.base), next))
	r.drop(next)
	if lost > 0 {
		r.lost += lost
		r.add(&Event{Kind: EventsLost, Exp: experiment, TNs: r.clk.Now(), Count: lost})
	}
}

// drop forgets whole chunks below seq next. The caller holds mu.
func (r *Recorder) drop(next uint64) {
	r.first = max(r.first, next)
	for len(r.chunks) > 0 && r.base+chunkSize <= r.first {
		r.spare, r.chunks[0] = r.chunks[0], nil
		r.chunks = r.chunks[1:]
		r.base += chunkSize
	}
}

// announce wakes those who wait. The caller holds mu.
func (r *Recorder) announce(urgent bool) {
	if r.wake != nil {
		close(r.wake)
		r.wake = nil
	}
	if urgent {
		select {
		case r.urgent <- struct{}{}:
		default:
		}
	}
}

// LastSeq is the seq of the newest event, at least 1.
func (r *Recorder) LastSeq() uint64 {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.last
}

// Lost is how many events were dropped before anybody discarded them.
func (r *Recorder) Lost() int64 {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.lost
}

// Read returns at most limit events with seq > after that are still kept, in
// order. limit 0 or less means all of them.
func (r *Recorder) Read(after uint64, limit int) []Event {
	return r.read(nil, after, limit)
}

// read is Read into the memory of into.
func (r *Recorder) read(into []Event, after uint64, limit int) []Event {
	r.mu.Lock()
	defer r.mu.Unlock()
	from := max(after+1, r.first)
	if from > r.last {
		return into[:0]
	}
	n := int(r.last - from + 1)
	if limit > 0 {
		n = min(n, limit)
	}
	return r.copyOut(slices.Grow(into[:0], n), from, n)
}

// copyOut appends n events from seq from on. The caller holds mu.
func (r *Recorder) copyOut(to []Event, from uint64, n int) []Event {
	for at := from - r.base; n > 0; {
		piece := r.chunks[at/chunkSize][at%chunkSize:]
		piece = piece[:min(n, len(piece))]
		to = append(to, piece...)
		at, n = at+uint64(len(piece)), n-len(piece)
	}
	return to
}

// Discard forgets the events up to and including seq upTo: they were written
// elsewhere.
func (r *Recorder) Discard(upTo uint64) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.drop(min(upTo, r.last) + 1)
}

// Changed blocks until LastSeq > after. It returns io.EOF when the recorder is
// closed and holds nothing newer, or ctx's error.
func (r *Recorder) Changed(ctx context.Context, after uint64) error {
	for {
		wake, err := r.waiter(after)
		if wake == nil {
			return err
		}
		select {
		case <-wake:
		case <-ctx.Done():
			return ctx.Err()
		}
	}
}

// waiter is nil when there is nothing to wait for.
func (r *Recorder) waiter(after uint64) (<-chan struct{}, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.last > after {
		return nil, nil
	}
	if r.closed {
		return nil, io.EOF
	}
	if r.wake == nil {
		r.wake = make(chan struct{})
	}
	return r.wake, nil
}

// Close ends the log. What was recorded stays readable. It may be called twice.
func (r *Recorder) Close() {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.closed = true
	r.announce(true)
}

// ended tells whether the recorder is closed and holds nothing after seq after.
func (r *Recorder) ended(after uint64) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.closed && r.last <= after
}
