package timeline

import (
	"cmp"
	"slices"

	"github.com/deadlinelab/deadlinelab/internal/eventlog"
)

// Entry is one line of the merged journal.
type Entry struct {
	Side           string  // client or server
	Ms             float64 // from the operation's t0, on the client's clock
	eventlog.Event         // Op is filled in for events of a connection
}

// Entries is the merged journal of one operation, and of the others asked for,
// in the order of time; nil for an operation that the client's log lacks.
func (r *Run) Entries(op string, with ...string) []Entry {
	of := r.Operation(op)
	if of == nil {
		return nil
	}
	var journal [2][]Entry
	for _, id := range append([]string{op}, with...) {
		if i, known := r.index[id]; known {
			journal[client] = r.collect(journal[client], client, id, int(i), of.T0Ns)
			journal[server] = r.collect(journal[server], server, id, int(i), of.T0Ns)
		}
	}
	byTime(journal[client])
	byTime(journal[server])
	return interleave(journal[client], journal[server], r.in.OffsetNs)
}

func (r *Run) collect(entries []Entry, side int, id string, op int, t0 int64) []Entry {
	offset := int64(0)
	if side == server {
		offset = r.in.OffsetNs
	}
	for _, i := range r.byOp[side].of(op) {
		e := r.from[side].At(int(i))
		e.Op = id
		entries = append(entries, Entry{Side: sides[side], Ms: millis(happened(&e) + offset - t0), Event: e})
	}
	return entries
}

func byTime(entries []Entry) {
	slices.SortStableFunc(entries, func(a, b Entry) int {
		return cmp.Or(cmp.Compare(happened(&a.Event), happened(&b.Event)), cmp.Compare(a.Exp, b.Exp), cmp.Compare(a.Seq, b.Seq))
	})
}

// interleave merges the two sides. At one instant the client comes first, as a
// request is written before it is received, but for what the client can only
// have after the server wrote it.
func interleave(fromClient, fromServer []Entry, offset int64) []Entry {
	merged := make([]Entry, 0, len(fromClient)+len(fromServer))
	for len(fromClient) > 0 && len(fromServer) > 0 {
		if clientFirst(&fromClient[0], &fromServer[0], offset) {
			merged, fromClient = append(merged, fromClient[0]), fromClient[1:]
		} else {
			merged, fromServer = append(merged, fromServer[0]), fromServer[1:]
		}
	}
	return append(append(merged, fromClient...), fromServer...)
}

func clientFirst(c, s *Entry, offset int64) bool {
	tc, ts := happened(&c.Event), instant(s.TNs)+offset
	if tc != ts {
		return tc < ts
	}
	return c.Kind != eventlog.HeadersReceived && c.Kind != eventlog.BodyFinished
}
