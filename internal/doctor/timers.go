package doctor

import (
	"context"
	"math/rand/v2"
	"time"

	"github.com/deadlinelab/deadlinelab/internal/clock"
)

// deadlines measures context deadlines as the noise sampler of a run does.
func deadlines(ctx context.Context, clk clock.Clock, rnd *rand.Rand, during time.Duration) *Lateness {
	var late []float64
	stop := clock.StartNoise(clk, rnd, func(_ int64, l time.Duration) { late = append(late, clock.InMs(l)) })
	pause(ctx, during)
	stop()
	return sumUp(late)
}

// Timers wait 3 to 13 ms, with a random phase: whole milliseconds would fall in
// step with the runtime's poller.
const (
	timerShortest = 3 * time.Millisecond
	timerSpread   = 10 * time.Millisecond
)

// timers measures plain timers one after another, nudged unless n is nil.
func timers(ctx context.Context, rnd *rand.Rand, n *clock.Nudge, during time.Duration) *Lateness {
	var late []float64
	for end := time.Now().Add(during); time.Now().Before(end) && ctx.Err() == nil; {
		due := time.Now().Add(timerShortest + time.Duration(rnd.Int64N(int64(timerSpread))))
		n.At(due)
		time.Sleep(time.Until(due))
		late = append(late, clock.InMs(time.Since(due)))
	}
	return sumUp(late)
}

// pause ends early with ctx.
func pause(ctx context.Context, d time.Duration) {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
	case <-ctx.Done():
	}
}
