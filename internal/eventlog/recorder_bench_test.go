package eventlog

import (
	"strconv"
	"sync"
	"testing"
	"time"
)

// recordedAtOnce is what each goroutine records between two pauses, in which
// the clock of the benchmark stands still and the log is emptied: what Copy
// does meanwhile in a run.
const recordedAtOnce = 2048

// BenchmarkRecord is the cost of an event for whoever records it, beside that
// of the clock reading in it, alone and with two goroutines at once.
func BenchmarkRecord(b *testing.B) {
	for _, goroutines := range []int{1, 2} {
		b.Run(strconv.Itoa(goroutines)+"-goroutines", func(b *testing.B) { recordBeside(b, goroutines) })
	}
}

func recordBeside(b *testing.B, goroutines int) {
	var clock, record time.Duration
	events := 0
	r, start := newRecorder(), time.Now()
	b.ReportAllocs()
	b.ResetTimer()
	for n := 0; n < b.N; n += recordedAtOnce {
		b.StopTimer()
		clock += together(goroutines, func(int) { time.Since(start) })
		b.StartTimer()
		record += together(goroutines, func(who int) {
			r.Record(Event{Kind: RequestWritten, Op: benchOps[who], Attempt: 1})
		})
		b.StopTimer()
		events += goroutines * recordedAtOnce
		r.Discard(r.LastSeq())
		b.StartTimer()
	}
	b.ReportMetric(float64(record)*float64(goroutines)/float64(events), "ns/op")
	b.ReportMetric(float64(record)/float64(clock), "×time.Since")
}

var benchOps = []string{"slow_headers-r1-D-m0016", "slow_headers-r1-D-m0017"}

// together calls f recordedAtOnce times in each goroutine.
func together(goroutines int, f func(who int)) time.Duration {
	start := time.Now()
	var all sync.WaitGroup
	for who := range goroutines {
		all.Go(func() {
			for range recordedAtOnce {
				f(who)
			}
		})
	}
	all.Wait()
	return time.Since(start)
}
