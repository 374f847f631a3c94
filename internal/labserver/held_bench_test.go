//go:build unix

package labserver

import (
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/deadlinelab/deadlinelab/internal/clock"
)

const (
	heldFor      = 800 * time.Millisecond
	heldRequests = 10_000
	// heldWithin is what the arrivals are spread over.
	heldWithin = 4 * time.Second
	// heldAfter lets the server take in its 10,000 connections first.
	heldAfter = time.Second
)

// BenchmarkHeld is 10,000 connections with one request each that is answered
// after 800 ms. It compares how late the client sees the answer, which comes
// from a labserver in one turn and from a bare handler in the next.
func BenchmarkHeld(b *testing.B) {
	var ours, bare []time.Duration
	for b.Loop() {
		bare = append(bare, held(b, bareChild(b))...)
		ours = append(ours, held(b, labChild(b, `{"type": "slow_headers", "response_delay_ms": 800}`, heldRequests))...)
	}
	slices.Sort(ours)
	slices.Sort(bare)
	b.ReportMetric(0, "ns/op")
	b.ReportMetric(clock.InMs(median(bare)), "bare-p50-ms")
	b.ReportMetric(clock.InMs(median(ours)), "p50-ms")
	b.ReportMetric(clock.InMs(ours[len(ours)*99/100]), "p99-ms")
	b.ReportMetric(clock.InMs(bare[len(bare)*99/100]), "bare-p99-ms")
	b.ReportMetric(float64(median(ours))/float64(median(bare)), "p50-ratio")
	b.ReportMetric(float64(b.N*heldRequests-len(ours)), "failed")
}

func median(ascending []time.Duration) time.Duration { return ascending[len(ascending)/2] }

// held opens the connections, then sends one request on each, and returns how
// late each answer came. A request that failed is missing.
func held(b *testing.B, s served) (late []time.Duration) {
	b.Helper()
	callers := make([]*caller, heldRequests)
	for i := range callers {
		c, err := s.dial(i)
		if err != nil {
			b.Fatal(err)
		}
		defer c.conn.Close()
		callers[i] = c
	}
	var mu sync.Mutex
	var all sync.WaitGroup
	first := time.Now().Add(heldAfter)
	for i, c := range callers {
		at := first.Add(heldWithin * time.Duration(i) / heldRequests)
		all.Go(func() {
			time.Sleep(time.Until(at))
			start := time.Now()
			err := c.call()
			took := time.Since(start)
			mu.Lock()
			defer mu.Unlock()
			if err != nil {
				b.Log(err)
				return
			}
			late = append(late, took-heldFor)
		})
	}
	all.Wait()
	return late
}
