package runner_test

import (
	"context"
	"net/http"
	"testing"
	"time"

	"github.com/deadlinelab/deadlinelab/internal/clock"
	"github.com/deadlinelab/deadlinelab/internal/control"
	"github.com/deadlinelab/deadlinelab/internal/eventlog"
	"github.com/deadlinelab/deadlinelab/internal/labserver"
	"github.com/deadlinelab/deadlinelab/internal/runner"
)

// onAnotherClock replaces the lab's server by one whose clock is apart from ours. Each
// clock.New in a bubble anchors the same virtual instant at another real one,
// so two of them are apart by the real time between their makings.
func (l *lab) onAnotherClock() (apart int64) {
	l.t.Helper()
	theirs := clock.New()
	for theirs.Now()-l.clock.Now() < int64(20*time.Millisecond) {
		theirs = clock.New()
	}
	server := labserver.New(labserver.Config{Listen: l.net.Listen, Clock: theirs, Token: "token", Version: "test"})
	base, err := server.Start("127.0.0.1:0")
	if err != nil {
		l.t.Fatal(err)
	}
	l.server.Close()
	l.server = server
	l.control = control.NewClient(base, "token", &http.Client{Transport: l.http})
	return theirs.Now() - l.clock.Now()
}

// The boot id is the same, yet the clocks are apart: they are not shared, and
// the offset is exact where an exchange takes no time.
func TestClocksApart(t *testing.T) {
	inLab(t, func(l *lab) {
		apart := l.onAnotherClock()
		var first runner.Clock
		l.config = func(c *runner.Config) { c.Aligned = func(c runner.Clock) { first = c } }
		result, err := l.run(context.Background(), l.plan(runner.Options{Repeats: 1, Operations: 1, NoWarmup: true}, "D", load(t, "healthy")))
		if err != nil {
			t.Fatal(err)
		}
		c := result.Clock
		if c.Shared || c.OffsetNs != -apart || c.BoundNs != 1 || len(c.Readings) != 2 || c.Readings[0].AtNs >= c.Readings[1].AtNs {
			t.Errorf("%+v, expected an offset of %d", c, -apart)
		}
		if first.Shared || first.OffsetNs != -apart || len(first.Readings) != 1 {
			t.Errorf("before the first operation: %+v", first)
		}
	})
}

// One clock is known to be one, and not compared again.
func TestClockShared(t *testing.T) {
	inLab(t, func(l *lab) {
		result, err := l.run(context.Background(), l.plan(runner.Options{Repeats: 1, Operations: 1, NoWarmup: true}, "D", load(t, "healthy")))
		if c := result.Clock; err != nil || !c.Shared || c.OffsetNs != 0 || c.BoundNs != 0 || len(c.Readings) != 1 {
			t.Errorf("%+v, %v", result.Clock, err)
		}
	})
}

// What the client does at an event of the server, and what it asks of the
// server for an instant of its own, is exact with clocks apart.
func TestTriggersWithClocksApart(t *testing.T) {
	inLab(t, func(l *lab) {
		l.onAnotherClock()
		cancels := l.plan(runner.Options{Repeats: 1, Operations: 2, NoWarmup: true}, "D", load(t, "cancel_in_http"))
		gates := l.plan(runner.Options{Repeats: 1, Operations: 2, NoWarmup: true}, "B", load(t, "pool_wait"))
		result, err := l.run(context.Background(), cancels)
		if err != nil {
			t.Fatal(err)
		}
		rec := l.record()
		for _, it := range cancels.Items {
			trigger, _ := first(rec.server[it.Op], eventlog.ServerRequestStarted)
			requested, _ := first(rec.client[it.Op], eventlog.ExternalCancelRequested)
			if got := time.Duration(requested.TNs - trigger.TNs - result.Clock.OffsetNs); got != 100*time.Millisecond {
				t.Errorf("%s: cancelled %s after its request arrived", it.Op, got)
			}
		}
		l.serverLog.Reset()
		if _, err := l.run(context.Background(), gates); err != nil {
			t.Fatal(err)
		}
		rec = l.record()
		for _, it := range gates.Items {
			body, _ := first(rec.client[it.Helper], eventlog.BodyFinished)
			if got := time.Duration(body.TNs - rec.client[it.Op][0].TNs); got != 1100*time.Millisecond {
				t.Errorf("%s: its helper's body ended %s after t0", it.Op, got)
			}
			if released, ok := first(rec.server[it.Helper], eventlog.GateReleased); !ok || released.LateMs != 0 {
				t.Errorf("%s: %+v", it.Helper, released)
			}
		}
	})
}
