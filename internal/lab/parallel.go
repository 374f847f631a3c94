package lab

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"sync"
	"time"

	"github.com/deadlinelab/deadlinelab/internal/clock"
	"github.com/deadlinelab/deadlinelab/internal/runner"
	"github.com/deadlinelab/deadlinelab/internal/timeline"
)

// choice is how many operations may be in flight, and why.
type choice struct {
	Parallel int
	Why      string // empty when it was asked for
}

// levels say how many operations a machine bears, by the p95 of its deadlines
// just before the run. Where other work already delays deadlines, the run's own
// adds to it (docs/performance.md).
var levels = []struct {
	floorMs  float64 // up to this p95
	parallel int
}{{2, runner.AutoParallel}, {5, 100}}

const noisyParallel = 50

// Choose is what was asked for, or, for auto (0), what the machine bears.
func Choose(ctx context.Context, asked int) choice {
	if asked != 0 {
		return choice{Parallel: asked}
	}
	late := sampleFloor(ctx)
	p95, ok := timeline.NearestRank(late, 95)
	if !ok {
		return choice{runner.AutoParallel, "auto, without a noise sample"}
	}
	c := choice{Parallel: noisyParallel, Why: fmt.Sprintf("auto: deadlines were up to %.2f ms late before the run (p95 of %d samples)", p95, len(late))}
	for _, l := range slices.Backward(levels) {
		if p95 <= l.floorMs {
			c.Parallel = l.parallel
		}
	}
	return c
}

// The sample before a run: some 60 deadlines.
const (
	floorSamplers = 8
	floorSampled  = 400 * time.Millisecond
)

// sampleFloor measures how late deadlines are in this process, in ascending
// milliseconds.
func sampleFloor(ctx context.Context) (late []float64) {
	var mu sync.Mutex
	var stops []func()
	clk := clock.New()
	for n := range floorSamplers {
		rnd := rand.New(rand.NewPCG(rand.Uint64(), uint64(n)))
		stops = append(stops, clock.StartNoise(clk, rnd, func(_ int64, l time.Duration) {
			mu.Lock()
			defer mu.Unlock()
			late = append(late, float64(l)/1e6)
		}))
	}
	timer := time.NewTimer(floorSampled)
	defer timer.Stop()
	select {
	case <-timer.C:
	case <-ctx.Done():
	}
	for _, stop := range stops {
		stop()
	}
	slices.Sort(late)
	return late
}
