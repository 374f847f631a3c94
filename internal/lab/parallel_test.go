package lab

import (
	"context"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/deadlinelab/deadlinelab/internal/runner"
)

func TestWhatIsAskedForIsTaken(t *testing.T) {
	if c := Choose(t.Context(), 7); c != (choice{Parallel: 7}) {
		t.Errorf("%+v", c)
	}
}

// A machine without any lateness bears the most, and says what it was asked.
func TestAutoMeasuresFirst(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		start := time.Now()
		c := Choose(t.Context(), 0)
		if c.Parallel != runner.AutoParallel || !strings.HasPrefix(c.Why, "auto: deadlines were up to 0.00 ms late") {
			t.Errorf("%+v", c)
		}
		if took := time.Since(start); took != floorSampled {
			t.Errorf("took %v", took)
		}
	})
}

func TestAutoWithoutTime(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if c := Choose(ctx, 0); c.Parallel != runner.AutoParallel || c.Why == "" {
		t.Errorf("%+v", c)
	}
}

// The noisier, the fewer.
func TestLevelsDescend(t *testing.T) {
	for i, l := range levels {
		if l.parallel <= noisyParallel || i > 0 && (l.floorMs <= levels[i-1].floorMs || l.parallel >= levels[i-1].parallel) {
			t.Errorf("level %d: %+v", i, l)
		}
	}
}
