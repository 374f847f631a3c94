package eventlog

import (
	"context"
	"errors"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"
)

// stamped notes when each Write came.
type stamped struct {
	start time.Time
	at    []time.Duration
	strings.Builder
}

func (s *stamped) Write(p []byte) (int, error) {
	s.at = append(s.at, time.Since(s.start))
	return s.Builder.Write(p)
}

// Lines reach the file every 50 ms, and at once when an operation has finished.
func TestCopyWritesInTime(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := newRecorder()
		out := &stamped{start: time.Now()}
		done := make(chan error)
		go func() { done <- Copy(t.Context(), r, out) }()
		time.Sleep(10 * time.Millisecond)
		recordMany(r, 3)
		time.Sleep(50 * time.Millisecond)
		r.Record(Event{Kind: OperationFinished, Outcome: Success})
		time.Sleep(11 * time.Millisecond)
		recordMany(r, 1)
		r.Close()
		if err := <-done; err != nil {
			t.Error(err)
		}
		want := []time.Duration{0, 50 * time.Millisecond, 60 * time.Millisecond, 71 * time.Millisecond}
		if !slices.Equal(out.at, want) {
			t.Errorf("wrote at %v", out.at)
		}
		log, err := readWhole("client.jsonl", strings.NewReader(out.String()))
		if err != nil || !slices.Equal(seqs(log.Events), []uint64{1, 2, 3, 4, 5, 6}) {
			t.Errorf("%v", err)
		}
		if left := r.Read(0, 0); len(left) != 0 {
			t.Errorf("%d events not discarded", len(left))
		}
	})
}

func TestCopyWritesLongLogsInWholeLines(t *testing.T) {
	r := newRecorder()
	recordMany(r, 5000)
	r.Close()
	var out strings.Builder
	if err := Copy(t.Context(), r, &out); err != nil {
		t.Fatal(err)
	}
	log, err := readWhole("x", strings.NewReader(out.String()))
	if err != nil || len(log.Events) != 5001 || log.Torn {
		t.Errorf("%v", err)
	}
}

type full struct{}

func (full) Write([]byte) (int, error) { return 0, errors.New("disk full") }

func TestCopyReturnsAWriteErrorAndRecordingGoesOn(t *testing.T) {
	r := newRecorder()
	if err := Copy(t.Context(), r, full{}); err == nil || err.Error() != "disk full" {
		t.Error(err)
	}
	recordMany(r, 1)
	if got := seqs(r.Read(0, 0)); !slices.Equal(got, []uint64{1, 2}) {
		t.Errorf("%v", got)
	}
}

func TestCopyWritesTheRestWhenItsContextEnds(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	r := newRecorder()
	recordMany(r, 2)
	var out strings.Builder
	if err := Copy(ctx, r, &out); !errors.Is(err, context.Canceled) || strings.Count(out.String(), "\n") != 3 {
		t.Errorf("%v\n%s", err, out.String())
	}
}

// stuck is a disk that does not take anything before it is freed.
type stuck struct{ free chan struct{} }

func (s stuck) Write(p []byte) (int, error) {
	<-s.free
	return len(p), nil
}

// Whatever becomes of the log's writer, recording takes no time.
func TestRecordDoesNotWaitForItsLog(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r, out := newRecorder(), stuck{make(chan struct{})}
		done := make(chan error)
		go func() { done <- Copy(t.Context(), r, out) }()
		synctest.Wait()
		start := time.Now()
		recordMany(r, 100_000)
		if waited := time.Since(start); waited != 0 || r.LastSeq() != 100_001 {
			t.Errorf("%v, last %d", waited, r.LastSeq())
		}
		close(out.free)
		r.Close()
		if err := <-done; err != nil || r.Lost() != 0 {
			t.Errorf("%v, lost %d", err, r.Lost())
		}
	})
}
