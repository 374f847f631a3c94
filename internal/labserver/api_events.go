package labserver

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"slices"
	"time"

	"github.com/deadlinelab/deadlinelab/internal/control"
	"github.com/deadlinelab/deadlinelab/internal/eventlog"
)

const (
	defaultEvents = 1_000  // events of one query
	maxEvents     = 10_000 //
	batch         = 512    // events read at once by a stream or a wait
	maxSeq        = 1 << 62
)

func (s *Server) queryEvents(w http.ResponseWriter, r *http.Request) error {
	x, err := s.find(r.PathValue("x"))
	if err != nil {
		return err
	}
	q := parametersOf(r, "after", "limit")
	after, most := q.number("after", 0, 0, maxSeq), q.number("limit", defaultEvents, 1, maxEvents)
	if q.err != nil {
		return q.err
	}
	page := control.Events{Events: []json.RawMessage{}, Next: after, LastSeq: x.recorder.LastSeq()}
	for _, e := range x.recorder.Read(after, int(most)) {
		page.Events = append(page.Events, eventlog.AppendJSON(nil, &e))
		page.Next, page.LastSeq = e.Seq, max(page.LastSeq, e.Seq)
	}
	return answer(w, http.StatusOK, page)
}

// streamEvents writes each event as soon as it happens, until the experiment
// has ended or the client leaves. keep=false is heard and ignored: a GET changes
// nothing, whoever made a browser send it.
func (s *Server) streamEvents(w http.ResponseWriter, r *http.Request) error {
	return s.stream(w, r, false, "after", "keep")
}

// takeEvents is streamEvents for a reader that keeps what it gets: an event is
// forgotten once it is written, and counted as discarded.
func (s *Server) takeEvents(w http.ResponseWriter, r *http.Request) error {
	return s.stream(w, r, true, "after")
}

func (s *Server) stream(w http.ResponseWriter, r *http.Request, discards bool, parameters ...string) error {
	x, err := s.find(r.PathValue("x"))
	if err != nil {
		return err
	}
	q := parametersOf(r, parameters...)
	q.flag("keep", true)
	f := follower{log: x.recorder, after: q.number("after", 0, 0, maxSeq), discards: discards, w: w, flush: http.NewResponseController(w).Flush}
	if q.err != nil {
		return q.err
	}
	w.Header().Set("Content-Type", "application/x-ndjson")
	w.WriteHeader(http.StatusOK)
	if f.flush() == nil {
		f.follow(r.Context())
	}
	return nil
}

// liveGap is the longest that an event waits for others to share a write with.
// One that comes after a silence of that length does not wait at all.
const liveGap = time.Millisecond

// follower copies a log to w.
type follower struct {
	log      *eventlog.Recorder
	after    uint64 // seq of the last event written
	discards bool   // what is written
	w        io.Writer
	flush    func() error
}

// follow returns when the log or ctx has ended, or a write fails.
func (f *follower) follow(ctx context.Context) {
	var lines []byte
	var events []eventlog.Event
	var next time.Time
	for f.log.Changed(ctx, f.after) == nil {
		time.Sleep(time.Until(next))
		events, lines = f.log.ReadInto(events, f.after, batch), lines[:0]
		for i := range events {
			lines = append(eventlog.AppendJSON(lines, &events[i]), '\n')
			f.after = events[i].Seq
		}
		if _, err := f.w.Write(lines); err != nil || f.flush() != nil {
			return
		}
		if f.discards {
			f.log.Discard(f.after)
		}
		next = time.Now().Add(liveGap)
	}
}

func (s *Server) awaitEvent(w http.ResponseWriter, r *http.Request) error {
	x, err := s.find(r.PathValue("x"))
	if err != nil {
		return err
	}
	q := parametersOf(r, "event", "op", "count", "timeout_ms")
	want := wanted{kind: eventlog.Kind(q.values.Get("event")), op: q.values.Get("op"), count: q.number("count", 1, 1, maxSeq)}
	timeout := q.timeout()
	if err := checkKind(want.kind); err != nil {
		return err
	}
	if q.err != nil {
		return q.err
	}
	return x.answerEvent(w, r.Context(), want, timeout)
}

// checkKind refuses a wait for what no server records: it would only end with
// its time.
func checkKind(k eventlog.Kind) error {
	if k == "" {
		return refuse(http.StatusBadRequest, "", "event: missing: expected the name of an event")
	}
	recorded := func(d eventlog.Description) bool { return d.Kind == k && d.Side != eventlog.ClientSide }
	if !slices.ContainsFunc(eventlog.Descriptions, recorded) {
		return refuse(http.StatusBadRequest, "`bench schema events` lists the kinds", "event %q: expected a kind that a server records, like %s", shorten(string(k)), eventlog.FaultFired)
	}
	return nil
}

func (x *experiment) answerEvent(w http.ResponseWriter, ctx context.Context, want wanted, timeout time.Duration) error {
	ctx, cancel := context.WithTimeout(ctx, timeout)
	defer cancel()
	e, err := want.in(ctx, x.recorder)
	if errors.Is(err, io.EOF) {
		return refuse(http.StatusGone, "", "experiment %q ended before event %q", x.name, shorten(string(want.kind)))
	}
	if err != nil {
		return refuse(http.StatusGatewayTimeout, "", "no event %q within %s", shorten(string(want.kind)), timeout)
	}
	return answer(w, http.StatusOK, json.RawMessage(eventlog.AppendJSON(nil, &e)))
}

// wanted is the count-th event of a kind; an empty op means any.
type wanted struct {
	kind  eventlog.Kind
	op    string
	count uint64
}

// in looks for the event in what was recorded and in what will be.
func (w wanted) in(ctx context.Context, rec *eventlog.Recorder) (eventlog.Event, error) {
	var after, seen uint64
	for {
		if err := rec.Changed(ctx, after); err != nil {
			return eventlog.Event{}, err
		}
		for _, e := range rec.Read(after, batch) {
			after = e.Seq
			if e.Kind != w.kind || (w.op != "" && e.Op != w.op) {
				continue
			}
			if seen++; seen == w.count {
				return e, nil
			}
		}
	}
}
