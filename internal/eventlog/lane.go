package eventlog

import (
	"sync"
	"sync/atomic"

	"github.com/deadlinelab/deadlinelab/internal/clock"
)

// laneCount is how many goroutines can record without waiting for each other.
const laneCount = 8

// pieceSize keeps one piece below 10 KB.
const pieceSize = 64

// piece is memory for events that are recorded one after another.
type piece [pieceSize]slot

// pieces are used again: memory that is new costs more than the event in it.
var pieces = sync.Pool{New: func() any { return new(piece) }}

// discard hands the piece back.
func (p *piece) discard() {
	for i := range p {
		p[i].discard()
	}
	pieces.Put(p)
}

// lane is a part of a log with a lock of its own. Its events have a time and a
// ticket, taken together under that lock; their seq follows when the lanes are
// put in order.
type lane struct {
	mu     sync.Mutex
	open   *piece
	used   int      // events in open
	fresh  []*piece // begun since queue.extend looked, open included
	closed bool
	_      [64]byte // no two lanes in one cache line
}

// laneOf tells the operations of one moment apart: their ids end in a number.
func laneOf(op string) int {
	if op == "" {
		return 0
	}
	return int(op[len(op)-1]) % laneCount
}

// add returns the event's time, and whether a piece was begun for it. A closed
// lane takes nothing. Without tickets events of one instant in different lanes
// stand in the order of the lanes.
func (l *lane) add(e *Event, clk clock.Clock, tickets *atomic.Uint64) (now int64, begun bool) {
	l.mu.Lock()
	now = clk.Now()
	if l.closed {
		l.mu.Unlock()
		return now, false
	}
	if begun = l.open == nil || l.used == pieceSize; begun {
		l.open, l.used = pieces.Get().(*piece), 0
		l.fresh = append(l.fresh, l.open)
	}
	s := &l.open[l.used]
	s.fill(e)
	s.tNs, s.seq = now, 0
	if tickets != nil {
		s.seq = tickets.Add(1)
	}
	l.used++
	l.mu.Unlock()
	return now, begun
}

// queue is what the recorder knows of a lane, in the lane's order.
type queue struct {
	pieces  []*piece
	ordered int // events that have their seq, counted from the start of pieces
	known   int
}

// extend takes note of what was added. The caller holds the lane's lock.
func (q *queue) extend(l *lane) {
	q.pieces = append(q.pieces, l.fresh...)
	l.fresh = l.fresh[:0]
	if len(q.pieces) > 0 {
		q.known = (len(q.pieces)-1)*pieceSize + l.used
	}
}

// next is the first event without a seq, nil if there is none.
func (q *queue) next() *slot {
	if q.ordered == q.known {
		return nil
	}
	return &q.pieces[q.ordered/pieceSize][q.ordered%pieceSize]
}

// release hands back the n pieces whose events all lie below seq first.
func (q *queue) release(first uint64) (n int) {
	for (n+1)*pieceSize <= q.ordered && q.pieces[n][pieceSize-1].seq < first {
		q.pieces[n].discard()
		n++
	}
	if n == 0 {
		return 0
	}
	left := copy(q.pieces, q.pieces[n:])
	clear(q.pieces[left:])
	q.pieces = q.pieces[:left]
	q.ordered, q.known = q.ordered-n*pieceSize, q.known-n*pieceSize
	return n
}
