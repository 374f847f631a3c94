package timeline

import "github.com/deadlinelab/deadlinelab/internal/eventlog"

// taken is what the start and the end of a process are given of an operation,
// in ms.
type taken struct {
	ms     float64
	cut    bool    // less than a start-up was left: the server saw the client for too long
	longer float64 // by how much it was longer out of the server's sight than a start-up takes
	doubt  float64 // by how much more its start-up may have taken: nobody saw
	ending float64 // what stands for an end that nobody saw
}

// leastStartup gives a process what its start and its end can have cost: the median of
// the run's start-ups, and never more than the time that it was out of the
// server's sight. A client that is slow under healthy alone is not given what it
// did not spend. Where the server did not see it leave, the end of a start-up
// stands for its own; where it saw nothing, no more than the least start-up is
// sure.
func (d *builder) leastStartup(s startup, bound int64) (t taken) {
	from, to := d.sight()
	before := millis(max(0, from-d.t0) + 2*bound)
	switch {
	case from == farthest:
		t = taken{ms: s.least, doubt: s.median - s.least, ending: s.ending}
	case to == farthest:
		t = taken{ms: min(s.median, before+s.ending), ending: s.ending}
	default:
		most := before + millis(max(0, d.end-to))
		t = taken{ms: min(s.median, most), longer: max(0, most-s.median)}
	}
	t.cut = t.ms+t.doubt < s.median-LeastMarginMs
	t.ms = min(t.ms, d.op.DurationMs)
	return t
}

// unsure tells whether an operation that is not late may have been: it depends
// on a start-up that nobody measured, or on an end that only a success has.
func (op *Operation) unsure(t taken, marginMs float64) bool {
	lenient := Lenient(op.BudgetMs)
	closely := op.Overshoot-t.longer > min(marginMs+t.doubt, lenient)
	return !op.Late && (closely || op.Outcome != eventlog.Success && op.Overshoot+min(t.ending, t.ms) > lenient)
}

// sight is from when to when the server knew the client to be there; each
// farthest if that is not known. A connection counts where there was no request.
func (d *builder) sight() (from, to int64) {
	if len(d.exchanges) == 0 {
		return d.accepted, d.closedBy("")
	}
	from, to = farthest, -farthest
	for i := range d.exchanges {
		x := &d.exchanges[i]
		if !x.started {
			return farthest, farthest
		}
		from, to = min(from, x.start), max(to, d.lastSeen(x))
	}
	return from, to
}

// lastSeen is when the server last knew the client of an exchange to be there.
func (d *builder) lastSeen(x *exchange) int64 {
	switch {
	case x.sawGone:
		return x.gone
	case x.bodied != farthest:
		return x.bodied
	}
	return d.closedBy(x.Conn)
}

// closedBy is when a connection was closed, by either side; of no address when
// the last one was. One that outlives its client says nothing.
func (d *builder) closedBy(conn string) int64 {
	last := -farthest
	for _, c := range d.closings {
		if conn == "" || c.conn == conn {
			last = max(last, c.at)
		}
	}
	if last == -farthest || last > d.end {
		return farthest
	}
	return last
}
