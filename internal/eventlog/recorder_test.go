package eventlog

import (
	"context"
	"errors"
	"io"
	"slices"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/deadlinelab/deadlinelab/internal/clock"
)

func newRecorder(options ...Option) *Recorder {
	return NewRecorder(clock.New(), Header{Side: ClientSide, Experiment: "run"}, options...)
}

func recordMany(r *Recorder, n int) {
	for range n {
		r.Record(Event{Kind: RequestWritten, Attempt: 1})
	}
}

func seqs(events []Event) (all []uint64) {
	for _, e := range events {
		all = append(all, e.Seq)
	}
	return all
}

func TestRecorderBeginsWithTheHeader(t *testing.T) {
	r := newRecorder()
	first := r.Read(0, 0)
	if len(first) != 1 || first[0].Kind != LogOpened || first[0].Seq != 1 || r.LastSeq() != 1 {
		t.Fatalf("%+v", first)
	}
	if h := first[0].Header; h.check() != nil || h.Clock != clock.Name || h.BootID != clock.BootID() {
		t.Errorf("%+v", h)
	}
}

func TestRecorderTakesSeqAndTimeInOneStep(t *testing.T) {
	r := newRecorder()
	var writers sync.WaitGroup
	for range 4 {
		writers.Go(func() {
			for range 3000 {
				if at := r.Record(Event{Kind: RequestWritten}); at == 0 {
					t.Error("no time")
				}
			}
		})
	}
	writers.Wait()
	events := r.Read(0, 0)
	if len(events) != 12_001 || r.LastSeq() != 12_001 {
		t.Fatalf("%d events, last %d", len(events), r.LastSeq())
	}
	for i := range events[1:] {
		if a, b := events[i], events[i+1]; b.Seq != a.Seq+1 || b.TNs < a.TNs {
			t.Fatalf("%+v before %+v", a, b)
		}
	}
}

func TestServerEventsNameTheirExperiment(t *testing.T) {
	r := NewRecorder(clock.New(), Header{Side: ServerSide, Experiment: "x1"})
	r.Record(Event{Kind: ConnectionAccepted})
	for _, e := range r.Read(0, 0) {
		if e.Exp != "x1" {
			t.Errorf("%+v", e)
		}
	}
}

func TestReadAndDiscard(t *testing.T) {
	r := newRecorder()
	recordMany(r, 999)
	if got := seqs(r.Read(250, 10)); !slices.Equal(got, []uint64{251, 252, 253, 254, 255, 256, 257, 258, 259, 260}) {
		t.Errorf("across a chunk: %v", got)
	}
	r.Discard(600)
	if got := seqs(r.Read(0, 2)); !slices.Equal(got, []uint64{601, 602}) {
		t.Errorf("after Discard: %v", got)
	}
	r.Discard(100)
	r.Discard(5000)
	if got := r.Read(0, 0); len(got) != 0 {
		t.Errorf("all discarded: %v", seqs(got))
	}
	recordMany(r, 1)
	if got := seqs(r.Read(0, 0)); !slices.Equal(got, []uint64{1001}) || r.Lost() != 0 {
		t.Errorf("recorded afterwards: %v, lost %d", got, r.Lost())
	}
}

func TestRetainDropsTheOldestAndSaysSo(t *testing.T) {
	r := newRecorder(Retain(512))
	recordMany(r, 511)
	if r.Lost() != 0 {
		t.Fatalf("lost %d of 512", r.Lost())
	}
	recordMany(r, 1) // begins the ninth piece
	kept := r.Read(0, 0)
	if kept[0].Seq != 257 || r.Lost() != 256 || r.LastSeq() != 514 {
		t.Fatalf("first %d, lost %d, last %d", kept[0].Seq, r.Lost(), r.LastSeq())
	}
	if e := kept[257]; e.Kind != EventsLost || e.Count != 256 || e.Seq != 514 {
		t.Errorf("%+v", e)
	}
}

func TestRetainCountsOnlyWhatNobodyDiscarded(t *testing.T) {
	r := newRecorder(Retain(512))
	for range 100 {
		recordMany(r, 50)
		r.Discard(r.LastSeq())
	}
	if r.Lost() != 0 {
		t.Errorf("lost %d", r.Lost())
	}
	recordMany(r, 10_000)
	if kept := r.Read(0, 0); len(kept) > 512+pieceSize || kept[0].Seq != r.LastSeq()-uint64(len(kept))+1 {
		t.Errorf("%d kept", len(kept))
	}
}

// Whoever records, in whatever lane, the limit holds: what is dropped is
// counted, and no piece is counted twice or forgotten.
func TestRetainOverAllLanes(t *testing.T) {
	const each, writers, most = 4_000, 2 * laneCount, 4096
	r := newRecorder(Retain(most))
	var all sync.WaitGroup
	for i := range writers {
		all.Go(func() {
			for range each {
				r.Record(Event{Kind: RequestWritten, Op: "op-" + string(rune('a'+i))})
			}
		})
	}
	all.Wait()
	kept := r.Read(0, 0)
	lost := uint64(r.Lost())
	if len(kept) > most+laneCount*pieceSize || lost%lossAtOnce != 0 || r.LastSeq() != 1+each*writers+lost/lossAtOnce {
		t.Errorf("%d kept, lost %d, last %d", len(kept), lost, r.LastSeq())
	}
	if kept[0].Seq != lost+1 || int(r.LastSeq()-lost) != len(kept) {
		t.Errorf("kept from %d on, lost %d", kept[0].Seq, lost)
	}
	r.Discard(r.LastSeq())
	if held := r.held.Load(); held < 0 || held > laneCount {
		t.Errorf("%d pieces are held of an empty log", held)
	}
}

// Memory is used again once its events are discarded. The race detector makes
// sync.Pool forget a quarter of it on purpose.
func TestRecordUsesItsMemoryAgain(t *testing.T) {
	const lots = 10
	r := newRecorder()
	n := testing.AllocsPerRun(100, func() {
		recordMany(r, lots*pieceSize)
		r.Discard(r.LastSeq())
	})
	if n > lots*6/10 {
		t.Errorf("%v allocations per %d pieces", n, lots)
	}
}

func TestChangedWaitsForNewEvents(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := newRecorder()
		start := time.Now()
		time.AfterFunc(70*time.Millisecond, func() { r.Record(Event{Kind: RequestWritten}) })
		if err := r.Changed(t.Context(), 1); err != nil || time.Since(start) != 70*time.Millisecond {
			t.Errorf("%v after %v", err, time.Since(start))
		}
		time.AfterFunc(30*time.Millisecond, r.Close)
		if err := r.Changed(t.Context(), 2); err != io.EOF || time.Since(start) != 100*time.Millisecond {
			t.Errorf("%v after %v", err, time.Since(start))
		}
		if err := r.Changed(t.Context(), 1); err != nil {
			t.Errorf("closed but unread: %v", err)
		}
	})
}

// Whoever comes late to a log that another reader empties waits for new events.
func TestChangedWaitsForWhatCanBeRead(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := newRecorder()
		r.Discard(1)
		start := time.Now()
		time.AfterFunc(70*time.Millisecond, func() { recordMany(r, 1) })
		if err := r.Changed(t.Context(), 0); err != nil || time.Since(start) != 70*time.Millisecond {
			t.Errorf("%v after %v", err, time.Since(start))
		}
		r.Close()
		r.Discard(2)
		if err := r.Changed(t.Context(), 0); err != io.EOF {
			t.Error(err)
		}
	})
}

func TestChangedEndsWithItsContext(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if err := newRecorder().Changed(ctx, 1); !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
}

func TestAClosedRecorderRecordsNothing(t *testing.T) {
	r := newRecorder()
	r.Close()
	r.Close()
	if at := r.Record(Event{Kind: RequestWritten}); at == 0 || r.LastSeq() != 1 || r.Lost() != 0 {
		t.Errorf("at %d, last %d", at, r.LastSeq())
	}
}

// At one instant of a clock that stands still, events keep their order.
func TestEventsOfOneInstantKeepTheirOrder(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := newRecorder()
		for i := range 1000 {
			r.Record(Event{Kind: RequestWritten, Op: string(rune('a' + i%26)), Attempt: i + 1})
		}
		for i, e := range r.Read(1, 0) {
			if e.Attempt != i+1 {
				t.Fatalf("event %d at place %d", e.Attempt, i+1)
			}
		}
	})
}
