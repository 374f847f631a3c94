package report

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/deadlinelab/deadlinelab/internal/rundir"
	"github.com/deadlinelab/deadlinelab/internal/textui"
	"github.com/deadlinelab/deadlinelab/internal/view"
)

// runFacts are the end of the page: how to get these figures again, and what
// they were measured on.
type runFacts struct {
	Command string
	Facts   []fact
	Noise   []noiseRow
	Shared  []string // notes on every series
	Words   []fact
}

type fact struct{ Name, Value string }

type noiseRow struct {
	Side string
	rundir.Noise
}

func newRunFacts(in view.Input) runFacts {
	f := runFacts{Words: words}
	for _, n := range in.Summary.Shared() {
		f.Shared = append(f.Shared, n.Text)
	}
	if in.Run != nil {
		f.describe(in.Run)
	}
	return f
}

func (f *runFacts) describe(r *rundir.Run) {
	if len(r.Arguments) > 0 {
		f.Command = textui.Plain("bench " + strings.Join(textui.Quoted(r.Arguments), " "))
	}
	e := r.Environment
	f.add("seed", "%d", r.Seed)
	f.add("operations", "%d repeats of %d in each series, up to %d at once", r.Repeats, r.Operations, r.Parallel)
	f.add("started", "%s", r.Started)
	f.add("took", "%.1f s", r.WallSeconds)
	f.add("status", "%s", r.Status)
	f.add("machine", "%s/%s, %d CPUs (GOMAXPROCS %d), kernel %s", e.OS, e.Arch, e.CPUs, e.MaxProcs, e.Kernel)
	f.add("load before", "%s", e.LoadBefore)
	f.add("built with", "%s, bench %s", e.Go, e.Version)
	f.add("clocks", "%s", clockText(r.Clock))
	f.add("plan", "sha256 %s", r.PlanDigest)
	if r.Require != "" {
		f.add("required", "every promise %s", r.Require)
	}
	for side, n := range r.Noise {
		f.Noise = append(f.Noise, noiseRow{side, n})
	}
	slices.SortFunc(f.Noise, func(a, b noiseRow) int { return cmp.Compare(a.Side, b.Side) })
}

func (f *runFacts) add(name, format string, values ...any) {
	f.Facts = append(f.Facts, fact{name, fmt.Sprintf(format, values...)})
}

func clockText(c rundir.Clock) string {
	if c.Shared {
		return c.Name + ", shared by client and server"
	}
	return fmt.Sprintf("%s; the server's is %.3f ms ahead, ± %.3f ms", c.Name, float64(c.OffsetNs)/1e6, float64(c.BoundNs)/1e6)
}

// words are the terms that the page uses, for a reader who has only the file.
var words = []fact{
	{"operation", "One call by the caller. It begins at t0, before the first queue, and ends when control is back: body read and closed, slot released."},
	{"budget, deadline", "The time the caller grants; the deadline is t0 plus the budget."},
	{"slot, admission", "A client may have only so many operations at work at once. One that finds every slot taken waits for admission; no request has been sent yet."},
	{"attempt, request", "What the client tried, and what really arrived at the server. They differ where an attempt never got a connection."},
	{"overshoot", "End minus deadline, on the client's clock; below zero the operation ended before it."},
	{"hard cap", "Where the bench itself ends a call that nothing in the client would have ended."},
	{"noise floor", "How late any deadline fires on this machine, measured during this very run. An overshoot near it is the machine's, not the client's."},
	{"promise, verdict", "The promise is what the caller got. The verdict tells whether the scenario expected that, so a client that is late can be exactly as expected."},
	{"typical operation", "The one nearest to the median within the commonest outcome; every drawing of a single operation is a real one."},
	{"95 % interval", "In 95 of 100 such runs the true median lies within it."},
	{"not counted", "Invalid: what the scenario scripts, its fault, is not proven to have fired on time. Disturbed: a stall of the machine explains the deviation."},
}
