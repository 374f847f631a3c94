package runner_test

import (
	"testing"
	"time"

	"github.com/deadlinelab/deadlinelab/internal/eventlog"
	"github.com/deadlinelab/deadlinelab/internal/runner"
)

// Who obeys a date waits for what its instant in the second leaves: 1000 to
// 2000 ms, every part of it alike, and few of them wake together.
func TestDatesAreObeyedAllOverTheSecond(t *testing.T) {
	inLab(t, func(l *lab) {
		p := l.plan(runner.Options{Repeats: 2, Operations: 20}, "", load(t, "retry_after_date"))
		rec := l.mustRun(p)
		woken := map[int64]int{}
		for _, it := range p.Items {
			if it.Variant != "budgeted" || it.InSecond == nil {
				continue
			}
			events := rec.client[it.Op]
			end, _ := first(events, eventlog.OperationFinished)
			took, want := time.Duration(end.TNs-events[0].TNs), 2020*time.Millisecond-*it.InSecond
			if end.Outcome != eventlog.Success || took != want {
				t.Errorf("%s: %s after %s, want %s", it.Op, end.Outcome, took, want)
			}
			woken[end.TNs]++
		}
		for at, n := range woken {
			if n > 10 {
				t.Errorf("%d operations woke at %s", n, time.Duration(at))
			}
		}
	})
}
