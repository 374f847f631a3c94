package clock

import (
	"slices"
	"sync"
	"testing"
	"time"

	"go.uber.org/goleak"
)

func newNudge(t testing.TB) *Nudge {
	t.Helper()
	n, err := NewNudge()
	if err != nil {
		t.Fatal(err)
	}
	return n
}

// pending is what the nudge still waits for.
func (n *Nudge) pending() int {
	n.mu.Lock()
	defer n.mu.Unlock()
	return len(n.known)
}

// What is due is taken off by the goroutine that the timerfd wakes.
func TestNudgeWakesAtEveryDueTime(t *testing.T) {
	defer goleak.VerifyNone(t)
	n := newNudge(t)
	now := time.Now()
	for _, ms := range []int{30, 10, 20, 10, 10} {
		n.At(now.Add(time.Duration(ms) * time.Millisecond))
	}
	for n.pending() > 0 {
		time.Sleep(time.Millisecond)
	}
	if err := n.Close(); err != nil {
		t.Error(err)
	}
}

func TestNudgeKeepsEachDueTimeOnceAndOnlyFutureOnes(t *testing.T) {
	n := newNudge(t)
	defer n.Close()
	soon := time.Now().Add(time.Hour)
	for range 3 {
		n.At(soon)
	}
	n.At(time.Now())
	if n.pending() != 1 || len(n.due) != 1 {
		t.Errorf("%d due times", n.pending())
	}
}

func TestNudgeIsBounded(t *testing.T) {
	n := newNudge(t)
	defer n.Close()
	later := time.Now().Add(time.Hour)
	for i := range maxDue + 100 {
		n.At(later.Add(time.Duration(i)))
	}
	if n.pending() != maxDue || len(n.due) != maxDue {
		t.Errorf("%d due times", n.pending())
	}
}

func TestNudgeMayBeUsedFromEverywhereAndAfterClose(t *testing.T) {
	defer goleak.VerifyNone(t)
	n := newNudge(t)
	var users sync.WaitGroup
	for range 4 {
		users.Go(func() {
			for i := range 1000 {
				n.At(time.Now().Add(time.Duration(i) * 10 * time.Microsecond))
			}
		})
	}
	n.Close()
	users.Wait()
	n.Close()
	n.At(time.Now().Add(time.Hour))
}

func TestNilNudgeDoesNothing(t *testing.T) {
	var n *Nudge
	n.At(time.Now().Add(time.Hour))
	if err := n.Close(); err != nil {
		t.Error(err)
	}
}

// How late a timer fires in a process that waits for it, with and without the nudge.
func BenchmarkLateness(b *testing.B) {
	b.Run("plain", func(b *testing.B) { lateness(b, nil) })
	b.Run("nudged", func(b *testing.B) {
		n := newNudge(b)
		defer n.Close()
		lateness(b, n)
	})
}

func lateness(b *testing.B, n *Nudge) {
	var late []time.Duration
	for i := 0; b.Loop(); i++ {
		due := time.Now().Add(3*time.Millisecond + time.Duration(i*7919%1_000_000))
		n.At(due)
		time.Sleep(time.Until(due))
		late = append(late, time.Since(due))
	}
	slices.Sort(late)
	b.ReportMetric(0, "ns/op")
	b.ReportMetric(float64(late[len(late)/2].Nanoseconds())/1e3, "p50-µs")
	b.ReportMetric(float64(late[len(late)*99/100].Nanoseconds())/1e3, "p99-µs")
}
