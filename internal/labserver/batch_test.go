package labserver

import (
	"testing"
	"time"

	"github.com/deadlinelab/deadlinelab/internal/clock"
	"github.com/deadlinelab/deadlinelab/internal/control"
	"github.com/deadlinelab/deadlinelab/internal/eventlog"
)

// heldCrowd has n exchanges of op-1 held at its gate.
func (l *lab) heldCrowd(n int) (answers []<-chan string) {
	l.Helper()
	ops := l.experiment(poolWait, control.OperationRequest{Op: "op-1", Phase: eventlog.Helper})
	for range n {
		answers = append(answers, l.begin(ops[0]))
	}
	must(l.Held(l.Context(), "x", "op-1", n, time.Second))(l)
	return answers
}

// lastWrites counts the exchanges by when the end of their answer was written,
// in milliseconds after start.
func lastWrites(events []eventlog.Event, start int64) map[float64]int {
	last := map[int]float64{}
	for _, e := range events {
		if e.Kind == eventlog.ServerBodyWritten {
			last[e.Exchange] = float64(e.TNs-start) / 1e6
		}
	}
	at := map[float64]int{}
	for _, ms := range last {
		at[ms]++
	}
	return at
}

// Many that are due at one instant are all written at that instant, and those
// of the next instant at theirs.
func TestACrowdIsWrittenAtItsInstant(t *testing.T) {
	inLab(t, Config{}, func(l *lab) {
		answers := l.heldCrowd(200)
		start := l.server.cfg.Clock.Now()
		l.release(control.Release{Count: 50, AtNs: start + 1100e6})
		l.release(control.Release{Count: 120, AtNs: start + 700e6})
		l.release(control.Release{Count: 30, AtNs: start + 1100e6 + 1})
		for _, answer := range answers {
			<-answer
		}
		events := l.log()
		at := lastWrites(events, start)
		if len(at) != 3 || at[700] != 120 || at[1100] != 50 || at[1100.000001] != 30 {
			l.Errorf("written at %v", at)
		}
		for _, e := range events {
			if e.Kind == eventlog.GateReleased && (e.LateMs != 0 || e.TNs != e.DueNs) {
				l.Errorf("exchange %d: due %d, released %d, %g late", e.Exchange, e.DueNs, e.TNs, e.LateMs)
			}
		}
	})
}

// A release for an earlier instant overtakes the one that a batch waits for.
func TestACrowdIsOvertaken(t *testing.T) {
	inLab(t, Config{}, func(l *lab) {
		answers := l.heldCrowd(60)
		start := l.server.cfg.Clock.Now()
		l.release(control.Release{Count: 50, AtNs: start + 400e6})
		time.Sleep(399 * time.Millisecond)
		l.release(control.Release{Count: 10})
		for _, answer := range answers {
			<-answer
		}
		if at := lastWrites(l.log(), start); len(at) != 2 || at[399] != 10 || at[400] != 50 {
			l.Errorf("written at %v", at)
		}
	})
}

// passing is what a real gate does with n waiters and as many permits for at:
// when each passed.
func passing(t *testing.T, g *gate, n int, at time.Time) []time.Time {
	t.Helper()
	passed := make(chan time.Time, n)
	for range n {
		go func() {
			if from, err := g.pass(nil, nil, nil); err != nil || !from.Equal(at) {
				t.Errorf("passed from %v, %v, expected %v", from, err, at)
			}
			passed <- time.Now()
		}()
	}
	if err := g.release(n, at); err != nil {
		t.Fatal(err)
	}
	times := make([]time.Time, n)
	for i := range times {
		times[i] = <-passed
	}
	return times
}

// Ushers are awake before the instant; nobody passes before it all the same.
func TestNobodyPassesEarly(t *testing.T) {
	nudge, err := clock.NewNudge()
	if err != nil {
		t.Fatal(err)
	}
	defer nudge.Close()
	g := &gate{nudge: nudge, arrived: make(chan struct{})}
	for _, ahead := range []time.Duration{-time.Second, awakeFor / 2, awakeFor, 5 * time.Millisecond} {
		at := time.Now().Add(ahead)
		for _, passed := range passing(t, g, 50, at) {
			if passed.Before(at) {
				t.Errorf("%v ahead: one passed %v early", ahead, at.Sub(passed))
			}
		}
	}
}

// Who gives up leaves the permit to the others.
func TestWhoGivesUpTakesNoPermit(t *testing.T) {
	g := &gate{arrived: make(chan struct{})}
	left := make(chan struct{})
	close(left)
	if _, err := g.pass(nil, left, nil); err == nil {
		t.Error("passed without a permit")
	}
	if err := g.release(1, time.Now()); err != nil {
		t.Fatal(err)
	}
	if _, err := g.pass(nil, nil, nil); err != nil {
		t.Error(err)
	}
	if facts, _ := g.facts("g"); facts.Released != 1 {
		t.Errorf("%+v", facts)
	}
}
