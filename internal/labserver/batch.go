package labserver

import (
	"runtime"
	"slices"
	"time"
)

// A batch that leaves at one instant is worth being awake for: the wake-up of a
// CPU that slept would delay each of them.
const (
	crowdFrom = 8
	// awakeFor is how long before the instant. It covers a usual wake-up.
	awakeFor = 200 * time.Microsecond
)

// arm sets the timer to the earliest permit that somebody waits for, unless
// ushers are on their way. The caller holds mu.
func (g *gate) arm() {
	at, n := g.next()
	switch {
	case n == 0 && g.timer != nil:
		g.timer.Stop()
	case n == 0 || at.Equal(g.called):
	case n >= crowdFrom && g.nudge != nil:
		g.setTimer(at.Add(-awakeFor)) // without a nudge nothing is that precise
	default:
		g.setTimer(at)
	}
}

// next is the earliest instant at which somebody may pass, and how many may.
// The caller holds mu.
func (g *gate) next() (at time.Time, n int) {
	if len(g.permits) == 0 {
		return at, 0
	}
	at = g.permits[0]
	n, _ = slices.BinarySearchFunc(g.permits, at.Add(1), time.Time.Compare)
	return at, min(n, len(g.waiting))
}

func (g *gate) setTimer(at time.Time) {
	if g.timer == nil {
		g.timer = time.AfterFunc(time.Until(at), g.ring)
	} else {
		g.timer.Reset(time.Until(at))
	}
	g.nudge.At(at)
}

// ring is what the timer does. A batch gets two goroutines, which wake half of it
// each: both halves then leave at once where two CPUs are free. Where they are
// not, the first goroutine comes back for the second half.
func (g *gate) ring() {
	at, n := g.call()
	if n == 0 {
		g.deal(maxPermits)
		return
	}
	go g.releaseBatch(at, (n+1)/2)
	g.releaseBatch(at, (n+1)/2)
}

// call returns the next instant and how large a batch leaves then; 0 = no batch,
// or not yet.
func (g *gate) call() (at time.Time, n int) {
	g.mu.Lock()
	defer g.mu.Unlock()
	if at, n = g.next(); n < crowdFrom || time.Until(at) > awakeFor {
		return at, 0
	}
	g.called = at
	return at, n
}

// releaseBatch stays awake until the instant at and then wakes share after share.
// Others run whenever they have something to do.
func (g *gate) releaseBatch(at time.Time, share int) {
	for time.Until(at) > 0 {
		runtime.Gosched()
	}
	for g.deal(share) {
		runtime.Gosched()
	}
}
