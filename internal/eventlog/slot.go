package eventlog

import (
	"math"
	"sync"
)

// slot is an event as the recorder keeps it. Most events have few fields; those
// with others keep all of theirs aside. A log that nobody discards grows by
// 144 bytes an event, not by the 344 of an Event.
type slot struct {
	seq      uint64 // the ticket, until the lanes are put in order
	tNs      int64
	op       string
	kind     Kind
	conn     string
	fault    string
	dueNs    int64
	lateMs   float64
	remainMs float64
	bytes    int64
	total    int64
	attempt  int32
	exchange int32
	status   int32
	reused   bool
	wide     *Event // nil for most
}

var wides = sync.Pool{New: func() any { return new(Event) }}

// fill takes e over, but for its seq and time.
func (s *slot) fill(e *Event) {
	s.wide = nil
	if !e.narrow() {
		s.wide = wides.Get().(*Event)
		*s.wide = *e
		return
	}
	s.op, s.kind, s.conn, s.fault = e.Op, e.Kind, e.Conn, e.Fault
	s.dueNs, s.lateMs, s.remainMs, s.bytes, s.total = e.DueNs, e.LateMs, e.RemainingMs, e.Bytes, e.Total
	s.attempt, s.exchange, s.status, s.reused = int32(e.Attempt), int32(e.Exchange), int32(e.Status), e.Reused
}

// narrow tells whether a slot has a place for everything in e.
func (e *Event) narrow() bool {
	return e.AtNs == 0 && e.PlannedMs == 0 && e.Count == 0 &&
		e.Exp == "" && e.Limit == "" && e.Gate == "" && e.Key == "" && e.How == "" && e.By == "" && e.Outcome == "" && e.Last == "" &&
		e.ErrorType == "" && e.Error == "" && e.Cause == "" && e.Start == nil && e.Leaks == nil && e.Header == nil &&
		small(e.Attempt) && small(e.Exchange) && small(e.Status)
}

func small(n int) bool { return n >= 0 && n <= math.MaxInt32 }

// event is the inverse of fill; an event that names no experiment is of this one.
func (s *slot) event(experiment string) Event {
	if s.wide != nil {
		e := *s.wide
		e.Seq, e.TNs = s.seq, s.tNs
		if e.Exp == "" {
			e.Exp = experiment
		}
		return e
	}
	return Event{Seq: s.seq, TNs: s.tNs, Op: s.op, Kind: s.kind, Exp: experiment, Conn: s.conn, Fault: s.fault, DueNs: s.dueNs,
		LateMs: s.lateMs, RemainingMs: s.remainMs, Bytes: s.bytes, Total: s.total,
		Attempt: int(s.attempt), Exchange: int(s.exchange), Status: int(s.status), Reused: s.reused}
}

// discard hands back what fill took.
func (s *slot) discard() {
	if s.wide != nil {
		wides.Put(s.wide)
		s.wide = nil
	}
}
