package clock

import (
	"math/rand/v2"
	"testing"
	"testing/synctest"
	"time"
)

// Virtual deadlines are never late, and lie 25 to 75 ms apart.
func TestNoiseSamplesEveryDeadline(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		clk := New()
		last, n, phases := clk.Now(), 0, map[int64]bool{}
		stop := StartNoise(clk, rand.New(rand.NewPCG(1, 1)), func(dueNs int64, late time.Duration) {
			if ahead := time.Duration(dueNs - last); ahead < noiseShortest || ahead >= noiseShortest+noiseSpread {
				t.Errorf("a deadline %v ahead", ahead)
			}
			if late != 0 || dueNs != clk.Now() {
				t.Errorf("%v late in virtual time", late)
			}
			phases[dueNs%int64(time.Millisecond)] = true
			last = dueNs
			n++
		})
		time.Sleep(10 * time.Second)
		stop()
		if n < 10_000/75 || n > 10_000/25 || len(phases) < n*9/10 {
			t.Errorf("%d samples, %d phases", n, len(phases))
		}
	})
}

func TestNoiseStopsAtOnce(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		stop := StartNoise(New(), rand.New(rand.NewPCG(1, 1)), func(int64, time.Duration) { t.Error("recorded") })
		time.Sleep(noiseShortest - 1)
		start := time.Now()
		stop()
		stop()
		if time.Since(start) != 0 {
			t.Errorf("stop took %v", time.Since(start))
		}
	})
}
