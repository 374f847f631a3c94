package clock

import (
	"context"
	"math/rand/v2"
	"sync"
	"time"
)

// The sampler's deadlines lie 25 to 75 ms ahead. Their phase is random to the
// nanosecond: sleeps of whole milliseconds fall in step with the runtime's
// poller and look more punctual than a caller's deadlines are.
const (
	noiseShortest = 25 * time.Millisecond
	noiseSpread   = 50 * time.Millisecond
)

// StartNoise measures, until stop is called, how late context deadlines are in
// this process: the noise floor that overshoots are compared with. record gets
// each deadline in nanoseconds of clk and how long after it the sampler woke.
// stop returns when record will not be called again; it may be called twice.
// rnd belongs to the sampler until then.
func StartNoise(clk Clock, rnd *rand.Rand, record func(dueNs int64, late time.Duration)) (stop func()) {
	ctx, cancel := context.WithCancel(context.Background())
	var sampler sync.WaitGroup
	sampler.Go(func() {
		for ctx.Err() == nil {
			sampleNoise(ctx, clk, noiseShortest+time.Duration(rnd.Int64N(int64(noiseSpread))), record)
		}
	})
	return func() {
		cancel()
		sampler.Wait()
	}
}

// sampleNoise measures one deadline as a caller meets it, unless stop comes first.
func sampleNoise(stop context.Context, clk Clock, ahead time.Duration, record func(int64, time.Duration)) {
	due := time.Now().Add(ahead)
	ctx, cancel := context.WithDeadline(context.Background(), due)
	defer cancel()
	select {
	case <-ctx.Done():
		record(clk.Ns(due), time.Since(due))
	case <-stop.Done():
	}
}
