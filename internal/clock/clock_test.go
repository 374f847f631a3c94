package clock

import (
	"testing"
	"testing/synctest"
	"time"
)

func TestClockFollowsVirtualTime(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := New()
		start := c.Now()
		time.Sleep(1234567 * time.Nanosecond)
		if got := c.Now() - start; got != 1234567 {
			t.Errorf("%d ns", got)
		}
	})
}

func TestAtIsTheInverseOfNs(t *testing.T) {
	c, now := New(), time.Now()
	for _, d := range []time.Duration{0, 1, -time.Hour, 90 * time.Minute} {
		want := now.Add(d)
		if got := c.At(c.Ns(want)); !got.Equal(want) {
			t.Errorf("%v: %v away", d, got.Sub(want))
		}
		if got := c.Ns(want) - c.Ns(now); got != int64(d) {
			t.Errorf("%v: %d ns", d, got)
		}
	}
}

// A reading lies between two readings of the clock it is anchored to, up to the
// error of the anchor.
func TestClockReadsTheMonotonicClock(t *testing.T) {
	c := New()
	const anchor = int64(time.Millisecond)
	before := monotonic()
	got := c.Now()
	after := monotonic()
	if got < before-anchor || got > after+anchor {
		t.Errorf("%d is not in %d…%d", got, before, after)
	}
}

func TestTwoClocksOfOneProcessAgree(t *testing.T) {
	a, b, now := New(), New(), time.Now()
	if d := time.Duration(a.Ns(now) - b.Ns(now)).Abs(); d > time.Millisecond {
		t.Errorf("%v apart", d)
	}
}

func BenchmarkNow(b *testing.B) {
	c := New()
	for b.Loop() {
		c.Now()
	}
}
