package timeline

import (
	"fmt"
	"slices"

	"github.com/deadlinelab/deadlinelab/internal/eventlog"
)

// Problem is one broken requirement, as data.
type Problem struct {
	Op          string      `json:"op,omitempty"` // empty: the run's
	Requirement Requirement `json:"requirement"`
	Found       string      `json:"found"`
	Expected    string      `json:"expected"`
}

func (p Problem) String() string {
	if p.Op == "" {
		return fmt.Sprintf("%s: found %s, expected %s", p.Requirement, p.Found, p.Expected)
	}
	return fmt.Sprintf("%s: %s: found %s, expected %s", p.Op, p.Requirement, p.Found, p.Expected)
}

// Requirement is what every history must satisfy.
type Requirement string

// The requirements.
const (
	Sequence       Requirement = "sequence without gaps"
	TimeRuns       Requirement = "time runs forward"
	KnownOperation Requirement = "every event belongs to an operation"
	OneStart       Requirement = "one operation_started"
	OneOutcome     Requirement = "one operation_finished"
	KnownOutcome   Requirement = "an outcome of the closed list"
	OneEnd         Requirement = "one end for each attempt"
	InOrder        Requirement = "attempts and exchanges numbered from 1"
	PartsAddUp     Requirement = "parts add up to the duration"
	Belongs        Requirement = "every exchange belongs to an attempt"
	ExchangeWhole  Requirement = "one start and one handler end for each exchange"
	OfOneRun       Requirement = "both logs are of one run"
	NeverStopped   Requirement = "labserver is never stopped"
	ServerHolds    Requirement = "labserver never fails"
	InPlan         Requirement = "every operation belongs to a planned series"
)

func (r *Run) problem(p Problem) { r.Problems = append(r.Problems, p) }

// checkInvariants holds every operation against the requirements. Helpers,
// probes and start-ups are in no invariant; a broken operation is not valid.
func (r *Run) checkInvariants() {
	for _, d := range r.builders {
		for _, p := range r.broke(d) {
			r.problem(p)
		}
	}
}

func (r *Run) broke(d *builder) []Problem {
	if d.op == nil {
		return []Problem{{d.id, OneStart, "0", "1"}}
	}
	if d.op.Phase == eventlog.Helper || d.op.Phase == eventlog.Probe || d.op.Phase == eventlog.Startup {
		return nil
	}
	var found []Problem
	found = append(found, r.unplanned(d)...)
	found = append(found, d.brokenEnds(r.in.Cut)...)
	found = append(found, d.brokenParts()...)
	if d.op.ClientBroke != "" {
		return found // what else it left undone says nothing about the logs
	}
	found = append(found, d.brokenAttempts()...)
	if r.in.Cut && !d.op.Finished {
		return found // its exchanges may be ahead of the client's log
	}
	found = append(found, d.brokenExchanges(r.reports[d.op.Variant])...)
	return append(found, r.wrongRun(d)...)
}

// unplanned: an operation of no series would vanish from the report without a
// word. A run that does not say what it planned is whatever is found.
func (r *Run) unplanned(d *builder) []Problem {
	ours := func(c Cell) bool { return c.Scenario == d.op.Scenario && c.Variant == d.op.Variant }
	if len(r.Planned) == 0 || slices.ContainsFunc(r.Planned, ours) {
		return nil
	}
	return []Problem{{d.id, InPlan, d.op.Variant + " in " + d.op.Scenario, "a variant and a scenario of the plan"}}
}

func (d *builder) brokenEnds(cut bool) (found []Problem) {
	if d.starts != 1 {
		found = append(found, Problem{d.id, OneStart, fmt.Sprint(d.starts), "1"})
	}
	if d.ends != 1 && !(d.ends == 0 && cut) {
		found = append(found, Problem{d.id, OneOutcome, fmt.Sprint(d.ends), "1"})
	}
	if d.op.Finished && !d.op.Outcome.Known() {
		found = append(found, Problem{d.id, KnownOutcome, fmt.Sprintf("%q", d.op.Outcome), "one of " + fmt.Sprint(eventlog.Outcomes)})
	}
	return found
}

// brokenAttempts: an operation that the hard cap abandoned may leave its last
// attempt without an end, an unfinished one as well.
func (d *builder) brokenAttempts() []Problem {
	found := d.strayProblems
	abandoned := !d.op.Finished || d.op.Outcome == eventlog.CapReached
	for i := range d.attempts {
		a := &d.attempts[i]
		if a.ends != 1 && !(a.ends == 0 && abandoned) {
			found = append(found, Problem{d.id, OneEnd, fmt.Sprintf("attempt %d has %d", a.N, a.ends), "1"})
		}
		if a.N != i+1 {
			found = append(found, Problem{d.id, InOrder, fmt.Sprintf("attempt %d at place %d", a.N, i+1), fmt.Sprintf("attempt %d", i+1)})
		}
	}
	return found
}

func (d *builder) brokenParts() []Problem {
	sum, whole := d.op.Where.micros(), wholeMicros(d.op.DurationMs)
	if !d.op.Finished || sum == whole {
		return nil
	}
	return []Problem{{d.id, PartsAddUp, fmt.Sprintf("%.3f ms", float64(sum)/1000), fmt.Sprintf("%.3f ms", d.op.DurationMs)}}
}

func (d *builder) brokenExchanges(reports bool) (found []Problem) {
	for i := range d.exchanges {
		x := &d.exchanges[i]
		if x.N != i+1 {
			found = append(found, Problem{d.id, InOrder, fmt.Sprintf("exchange %d at place %d", x.N, i+1), fmt.Sprintf("exchange %d", i+1)})
		}
		if !x.started || x.handlerFinished > 1 {
			found = append(found, Problem{d.id, ExchangeWhole, fmt.Sprintf("exchange %d: started %t, %d handler ends", x.N, x.started, x.handlerFinished), "started, at most 1"})
		}
		if reports && !d.blind && x.assigned == nobodyAttempt {
			found = append(found, Problem{d.id, Belongs, fmt.Sprintf("exchange %d on %s at %.3f ms belongs to none of %d attempts", x.N, x.Conn, x.StartMs, len(d.attempts)), "an attempt that had this connection"})
		}
	}
	return found
}
