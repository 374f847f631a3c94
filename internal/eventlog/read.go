package eventlog

import (
	"context"
	"io"
	"slices"
)

// LastSeq is the seq of the newest event, at least 1.
func (r *Recorder) LastSeq() uint64 {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.collect()
	return r.last
}

// Lost is how many events were dropped before anybody discarded them.
func (r *Recorder) Lost() int64 {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.lost
}

// Discarded is how many events Discard has forgotten.
func (r *Recorder) Discarded() int64 {
	r.mu.Lock()
	defer r.mu.Unlock()
	return int64(r.first) - 1 - r.lost
}

// Read returns at most limit events with seq > after that are still kept, in
// order. limit 0 or less means all of them.
func (r *Recorder) Read(after uint64, limit int) []Event {
	return r.ReadInto(nil, after, limit)
}

// ReadInto is Read into the memory of into.
func (r *Recorder) ReadInto(into []Event, after uint64, limit int) []Event {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.collect()
	into = into[:0]
	from := max(after+1, r.first)
	if from > r.last {
		return into
	}
	found := r.order[r.skip+int(from-r.first):]
	if limit > 0 {
		found = found[:min(limit, len(found))]
	}
	into = slices.Grow(into, len(found))
	for _, s := range found {
		into = append(into, s.event(r.exp))
	}
	return into
}

// Discard forgets the events up to and including seq upTo: they were written
// elsewhere.
func (r *Recorder) Discard(upTo uint64) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.collect()
	r.drop(min(upTo, r.last) + 1)
}

// Changed blocks until an event with seq > after can be read. It returns io.EOF
// when the recorder is closed and there is none, or ctx's error.
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

// waiter is nil when there is nothing to wait for. That somebody waits is told
// before the last look at the lanes: whoever adds after it sees it.
func (r *Recorder) waiter(after uint64) (<-chan struct{}, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.readable(after) {
		return nil, nil
	}
	if r.closed {
		return nil, io.EOF
	}
	r.waiting.Store(true)
	if r.readable(after) {
		return nil, nil
	}
	if r.wake == nil {
		r.wake = make(chan struct{})
	}
	return r.wake, nil
}

// readable tells whether a kept event has seq > after. The caller holds mu.
func (r *Recorder) readable(after uint64) bool {
	r.collect()
	return r.last > after && r.first <= r.last
}
