package predict

import (
	"fmt"
	"testing"
	"time"

	"github.com/deadlinelab/deadlinelab/internal/clock"
	"github.com/deadlinelab/deadlinelab/internal/eventlog"
	"github.com/deadlinelab/deadlinelab/internal/fault"
	"github.com/deadlinelab/deadlinelab/internal/scenario"
	"github.com/deadlinelab/deadlinelab/internal/variants"
)

// drawGap is what a wait may take longer than its arithmetic on a machine that
// is used: an expectation that this changes is a draw.
const drawGap = 5 * time.Millisecond

// No expectation of a shipped scenario is decided by less than 5 ms of path:
// whichever single wait takes that much longer, it holds.
func TestNoExpectationIsADraw(t *testing.T) {
	for _, s := range shipped(t) {
		if s.CallersQueue() {
			continue // their paths are not of one caller
		}
		for name, want := range s.Expect {
			v, _ := variants.Find(name)
			c := Compute(s, v)
			for what, later := range laterWaits(v, c.Path) {
				w := prepareWalk(s, v, 0)
				later(w)
				w.operation()
				for _, changed := range changes(s, want, w.path, drawGap) {
					t.Errorf("%s: %s: with %s %s later %s: %v", s.Name, name, what, drawGap, changed, w.path.Steps)
				}
			}
			for _, changed := range changes(s, want, c.Path, 2*drawGap) { // the noise floor may widen the margin
				t.Errorf("%s: %s: with a margin of %s %s: %v", s.Name, name, 2*drawGap, changed, c.Steps)
			}
		}
	}
}

// laterWaits are the waits of a path, each of which may take longer. A timer
// over the whole budget is a deadline: only the noise floor makes it late.
func laterWaits(v variants.Variant, p Path) map[string]func(*walk) {
	list := map[string]func(*walk){
		"nothing":         func(*walk) {},
		"the free slot":   func(w *walk) { w.busy = laterEnds(w.busy) },
		"the connection":  func(w *walk) { w.connectionAt = laterUnless0(w.connectionAt) },
		"the cancel":      func(w *walk) { w.cancelAfter = laterUnless0(w.cancelAfter) },
		"connect_ms":      func(w *walk) { w.policy.Limits.Connect = laterUnless0(w.policy.Limits.Connect) },
		"sock_connect_ms": func(w *walk) { w.policy.Limits.SockConnect = laterUnless0(w.policy.Limits.SockConnect) },
		"sock_read_ms":    func(w *walk) { w.policy.Limits.SockRead = laterUnless0(w.policy.Limits.SockRead) },
		"header_timeout":  func(w *walk) { w.headLimit = laterUnless0(w.headLimit) },
	}
	if v.Placement.Total != "budget" {
		list["total_ms"] = func(w *walk) { w.policy.Limits.Total = laterUnless0(w.policy.Limits.Total) }
	}
	for n := 1; n <= p.Requests; n++ {
		list[fmt.Sprintf("answer %d", n)] = func(w *walk) {
			w.rehearse = laterAnswer(w.rehearse, n)
		}
	}
	for n := 1; n < p.Attempts; n++ {
		list[fmt.Sprintf("pause %d", n)] = func(w *walk) { w.policy.Backoff = laterPause(w.policy.Backoff, n) }
	}
	return list
}

func laterUnless0(d time.Duration) time.Duration {
	if d == 0 {
		return 0
	}
	return d + drawGap
}

func laterEnds(list []interval) []interval {
	later := make([]interval, len(list))
	for i, one := range list {
		later[i] = interval{one.from, one.to + drawGap}
	}
	return later
}

func laterAnswer(rehearse func(fault.Request) fault.Answer, later int) func(fault.Request) fault.Answer {
	return func(q fault.Request) fault.Answer {
		a := rehearse(q)
		if q.Number == later && a.Headers >= 0 {
			a.Headers += drawGap
		}
		if q.Number == later && a.Body >= 0 {
			a.Body += drawGap
		}
		return a
	}
}

func laterPause(list []time.Duration, later int) []time.Duration {
	pauses := make([]time.Duration, max(later+1, len(list)))
	for i := range pauses {
		if len(list) > 0 {
			pauses[i] = list[min(i, len(list)-1)]
		}
	}
	pauses[later-1] += drawGap
	return pauses
}

// changes are the expectations that do not hold on a path.
func changes(s *scenario.Scenario, want scenario.Expect, p Path, margin time.Duration) []string {
	var list []string
	within := clock.FromMs(s.Operation.BudgetMs)
	if s.CallerDeadlineMs != nil {
		within = max(0, min(within, clock.FromMs(*s.CallerDeadlineMs)))
	}
	late := p.Duration >= within+margin
	changed := func(key string, differs bool, got any) {
		if differs {
			list = append(list, fmt.Sprintf("%s is %v", key, got))
		}
	}
	changed("outcome", want.Outcome != nil && *want.Outcome != p.Outcome, p.Outcome)
	changed("attempts", want.Attempts != nil && !want.Attempts.Holds(p.Attempts), p.Attempts)
	changed("server_requests", want.ServerRequests != nil && !want.ServerRequests.Holds(p.Requests), p.Requests)
	changed("late", want.Late != nil && *want.Late != late, late)
	inBudget := p.Outcome == eventlog.Success && !late
	changed("in_budget", want.InBudget != nil && *want.InBudget != inBudget, inBudget)
	return list
}
