package lab

import (
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/deadlinelab/deadlinelab/internal/console"
	"github.com/deadlinelab/deadlinelab/internal/eventlog"
	"github.com/deadlinelab/deadlinelab/internal/exit"
	"github.com/deadlinelab/deadlinelab/internal/runner"
	"github.com/deadlinelab/deadlinelab/internal/scenario"
	"github.com/deadlinelab/deadlinelab/internal/textui"
	"github.com/deadlinelab/deadlinelab/internal/variants"
)

// A process of which several run at once is to start as it does alone, but for
// a quarter of that, or for what a budget does not notice. Fewer calls than
// enoughCalls say little; once they have taken enoughTime, one says enough.
const (
	unnoticed   = 20 * time.Millisecond
	enoughCalls = 3
	enoughTime  = 5 * time.Second
)

// rehearsal is what calls of a client that is a process per operation take
// where nothing waits.
type rehearsal struct {
	alone  time.Duration // one after another, the median
	atOnce int           // most of them that take no longer at once
	beside time.Duration // what they take then, or one step above; 0 = not tried
	tried  int           // how many those were
}

// rehearse finds how many processes leave the start-up what it is alone. took
// is how long the calls take when n are made at once, each.
func rehearse(most int, took func(n int) []time.Duration) rehearsal {
	r := rehearsal{alone: median(repeated(1, took)), atOnce: 1}
	for r.atOnce < most && r.alone < enoughTime {
		r.tried = min(2*r.atOnce, most)
		r.beside = median(repeated(r.tried, took))
		if r.beside > r.alone+max(r.alone/4, unnoticed) {
			break
		}
		r.atOnce = r.tried
	}
	return r
}

// repeated makes n calls at once until there are enough of them.
func repeated(n int, took func(n int) []time.Duration) []time.Duration {
	var list []time.Duration
	began := time.Now()
	for len(list) < enoughCalls && time.Since(began) < enoughTime {
		list = append(list, took(n)...)
	}
	return list
}

func median(list []time.Duration) time.Duration {
	if len(list) == 0 {
		return 0
	}
	slices.Sort(list)
	return list[(len(list)-1)/2]
}

func (r rehearsal) String() string {
	text := fmt.Sprintf("%d at once: a call takes %s alone", r.atOnce, Milliseconds(r.alone))
	if r.tried > 0 {
		text += fmt.Sprintf(", %s as one of %d", Milliseconds(r.beside), r.tried)
	}
	return text
}

// RehearseStartups measures, before the run, what the start of each client that
// is a process per operation takes alone and beside its like, and lets no more
// run at once than leave it so.
func RehearseStartups(ctx context.Context, s console.Streams, plan *runner.Plan, u *Upstream) (map[string]time.Duration, error) {
	startups := map[string]time.Duration{}
	for _, v := range plan.Clients() {
		n := startupsOf(plan, v)
		if n == 0 {
			continue
		}
		r, err := u.rehearse(ctx, plan.Scenario(StartUnder), v.External)
		if err != nil {
			return nil, err
		}
		v.External.AtOnce, startups[v.Name] = r.atOnce, r.alone
		fmt.Fprintf(s.Err, "note: %s: its start-up is measured %d times under %s; %s\n", v.Name, n, StartUnder, r)
	}
	return startups, nil
}

// startupsOf is how many start-ups of a client the plan measures.
func startupsOf(plan *runner.Plan, v variants.Variant) int {
	n := 0
	for _, it := range plan.Items {
		if it.Variant == v.Name && it.Phase == eventlog.Startup {
			n++
		}
	}
	return n
}

// rehearse makes calls of a client that count nowhere. One that only the hard
// cap ends has no start-up to be spared.
func (u *Upstream) rehearse(ctx context.Context, healthy *scenario.Scenario, f *variants.External) (rehearsal, error) {
	var problem error
	endless := false
	r := rehearse(f.AtOnce, func(n int) []time.Duration {
		took, err := u.allAtOnce(ctx, healthy, f.Caller, n)
		if problem == nil {
			problem = err
		}
		endless = endless || slices.Max(took) >= healthy.Cap()
		return took
	})
	switch {
	case ctx.Err() != nil:
		return r, &exit.Error{Code: exit.Interrupted, Err: ErrInterrupted}
	case problem != nil:
		return r, &exit.Error{Code: exit.Incomplete, Err: fmt.Errorf("the start-ups could not be measured before the run: %w", u.explain(problem))}
	case endless:
		r.atOnce = f.AtOnce
	}
	return r, nil
}

// allAtOnce makes n calls at once, and is how long each takes.
func (u *Upstream) allAtOnce(ctx context.Context, s *scenario.Scenario, caller variants.Caller, n int) ([]time.Duration, error) {
	took := make([]time.Duration, n)
	calls, end, err := u.Operations(ctx, s, n)
	if end != nil {
		defer end()
	}
	if err != nil {
		return took, err
	}
	ctx, cancel := context.WithTimeoutCause(ctx, s.Cap(), variants.ErrCap)
	defer cancel()
	MakeAll(ctx, calls, caller, budgetOf(s))
	for i, c := range calls {
		took[i] = c.took
	}
	return took, nil
}

func budgetOf(s *scenario.Scenario) time.Duration { return time.Duration(s.Operation.BudgetMs * 1e6) }

// Announce says before a run how long it will take.
func Announce(s console.Streams, plan *runner.Plan, parallel int, startups map[string]time.Duration) {
	lasting := plan.Lasts(parallel, startups)
	text := fmt.Sprintf("%s, about %s", textui.Count(plan.Total(), "operation"), roundly(lasting.About))
	if most := roundly(lasting.Most); most > roundly(lasting.About) {
		text += fmt.Sprintf("; at most %s, if calls of clients in processes of their own end only at the hard cap", most)
	}
	fmt.Fprintln(s.Err, "note:", text)
}

// roundly is in whole seconds, upwards.
func roundly(d time.Duration) time.Duration { return (d + time.Second - 1).Truncate(time.Second) }
