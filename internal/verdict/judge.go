package verdict

import (
	_ "embed"
	"fmt"

	"github.com/deadlinelab/deadlinelab/internal/eventlog"
	"github.com/deadlinelab/deadlinelab/internal/scenario"
	"github.com/deadlinelab/deadlinelab/internal/timeline"
	"github.com/deadlinelab/deadlinelab/internal/wording"
)

// tolerableInvalid is the share of planned operations that may be invalid or
// missing before a series proves nothing.
const tolerableInvalid = 0.05

// Judge holds every series against what its scenario expects of its variant.
// Operations tell how each one ended; a series without an expectation is
// unjudged. The summary's status is the caller's to set.
func Judge(operations []*timeline.Operation, series []timeline.Series, scenarios []*scenario.Scenario) *Summary {
	s := &Summary{Schema: timeline.SummarySchema, SchemaVersion: timeline.SummarySchemaVersion, Series: []Series{}}
	in := byCell(operations)
	for _, one := range series {
		ops, checks := in[Cell{one.Scenario, one.Variant}], []Check{}
		e := evidence{series: one, operations: ops, timed: endedByTimer(ops)}
		checks = append(checks, e.client()...)
		if want, ok := expectation(scenarios, one.Scenario, one.Variant); ok && one.NotApplicable == "" {
			checks = append(checks, e.checks(want)...)
		}
		s.Series = append(s.Series, Series{Series: one, Checks: checks, evidence: e})
	}
	s.Finalize()
	return s
}

func expectation(scenarios []*scenario.Scenario, name, variant string) (scenario.Expect, bool) {
	for _, s := range scenarios {
		if s.Name == name {
			want, ok := s.Expect[variant]
			return want, ok
		}
	}
	return scenario.Expect{}, false
}

// Cell names one variant in one scenario.
type Cell struct{ Scenario, Variant string }

// endedByTimer tells whether a timer of the client ended most of the
// operations: those end within the lateness of one timer, whatever the upstream
// took.
func endedByTimer(operations []*timeline.Operation) bool {
	balance := 0
	for _, o := range operations {
		if timerEnded(o) {
			balance++
		} else {
			balance--
		}
	}
	return balance > 0
}

func timerEnded(o *timeline.Operation) bool {
	switch o.Outcome {
	case eventlog.DeadlineExceeded, eventlog.AttemptTimeout, eventlog.ConnectTimeout, eventlog.CapReached:
		return true
	case eventlog.RetriesExhausted:
		return o.Last == eventlog.AttemptTimeout || o.Last == eventlog.ConnectTimeout
	}
	return false
}

// evidence is what the checks of one series need to see.
type evidence struct {
	series     timeline.Series
	operations []*timeline.Operation // that its figures are made of
	timed      bool                  // a timer of the client ended its operations
}

func (e evidence) checks(want scenario.Expect) []Check {
	list := []Check{e.validity()}
	if want.Outcome != nil {
		list = append(list, e.outcome(*want.Outcome))
	}
	list = append(list, e.counts(want)...)
	list = append(list, e.flags(want)...)
	list = append(list, e.durations(want)...)
	list = append(list, e.groups(want)...)
	return append(list, e.leaks(want.Leaks)...)
}

func (e evidence) counts(want scenario.Expect) []Check {
	var list []Check
	if want.Attempts != nil {
		c := e.count("attempts", *want.Attempts, e.series.Attempts)
		list = append(list, e.excuseOutcome(c, func(o *timeline.Operation) bool { return want.Attempts.Holds(len(o.Attempts)) }))
	}
	if want.ServerRequests != nil {
		c := e.count("server_requests", *want.ServerRequests, e.series.ServerRequests)
		list = append(list, e.excuseOutcome(c, func(o *timeline.Operation) bool { return want.ServerRequests.Holds(o.ServerRequests) }))
	}
	return list
}

func (e evidence) flags(want scenario.Expect) []Check {
	var list []Check
	add := func(name string, want *bool, have *int, is func(*timeline.Operation) bool) {
		switch {
		case want == nil:
		case have == nil && e.series.N > 0:
			list = append(list, e.notReported(Check{Requirement: name, Expected: fmt.Sprint(*want)}))
		default:
			onlyLate := e.onlyLate(name, *want)
			c := e.undecidable(e.nearMargin(e.flag(name, *want, Deref(have)), onlyLate))
			c = e.late(c, onlyLate)
			if onlyLate {
				c = e.undecided(c)
			}
			list = append(list, e.excuseOutcome(c, func(o *timeline.Operation) bool { return is(o) == *want }))
		}
	}
	add("late", want.Late, &e.series.Late, func(o *timeline.Operation) bool { return o.Late })
	add("in_budget", want.InBudget, &e.series.InBudget, func(o *timeline.Operation) bool { return o.InBudget })
	add("headers_received", want.HeadersReceived, e.series.HeadersReceived, func(o *timeline.Operation) bool { return o.HeadersReceived != nil && *o.HeadersReceived })
	add("body_complete", want.BodyComplete, e.series.BodyComplete, func(o *timeline.Operation) bool { return o.BodyComplete != nil && *o.BodyComplete })
	return list
}

// verdict is pass or fail of an exact check; without an operation it is neither.
func (e evidence) verdict(c Check, holds bool) Check {
	switch {
	case e.series.N == 0:
		c.Verdict, c.Reason = Inconclusive, "no valid operation"
	case holds:
		c.Verdict = Pass
	default:
		c.Verdict = Fail
	}
	return c
}

// validity asks whether there is enough to judge: at least one operation, and
// few enough that are invalid or missing.
func (e evidence) validity() Check {
	s := e.series
	missing := s.Planned - s.N - s.Invalid - s.Disturbed
	c := Check{Requirement: "valid_operations", Expected: fmt.Sprintf("at least 95 %% of %d", s.Planned), Verdict: Pass}
	c.Actual = fmt.Sprintf("%d valid, %d invalid, %d disturbed, %d missing", s.N, s.Invalid, s.Disturbed, missing)
	switch {
	case s.N == 0:
		c.Verdict, c.Reason = Inconclusive, "no valid operation"
	case float64(s.Invalid+missing) > tolerableInvalid*float64(s.Planned):
		c.Verdict, c.Reason = Inconclusive, "for too many operations the fault is not proven to have fired on time, or they are missing"
	case s.Disturbed > 2 && float64(s.Disturbed) > tolerableInvalid*float64(s.Planned):
		c.Reason = "stalls of the machine explain the disturbed operations; they are in no figure"
	}
	return c
}

func (e evidence) outcome(want eventlog.Outcome) Check {
	c := Check{Requirement: "outcome", Expected: string(want), Actual: e.of(wording.Mix(e.series.Outcomes, wording.OutcomeOrder))}
	c = e.verdict(c, e.series.Outcomes[string(want)] == e.series.N)
	return e.excuseOutcome(c, func(o *timeline.Operation) bool { return o.Outcome == want })
}

// count is exact on every operation: one that differs fails at any n.
func (e evidence) count(name string, want scenario.Count, have map[string]int) Check {
	c := Check{Requirement: name, Expected: countText(want), Actual: e.of(wording.Mix(have, nil))}
	if have == nil && e.series.N > 0 {
		return e.notReported(c)
	}
	holds := true
	for n := range have {
		holds = holds && want.Holds(wording.Number(n))
	}
	return e.verdict(c, holds)
}

// notReported is a check on what the client does not tell.
func (e evidence) notReported(c Check) Check {
	c.Verdict, c.Actual, c.Reason = Inconclusive, "not reported", "the client does not report "+c.Requirement
	return c
}

func (e evidence) flag(name string, want bool, have int) Check {
	c := Check{Requirement: name, Expected: fmt.Sprint(want), Actual: fmt.Sprintf("%d of %d", have, e.series.N)}
	if want {
		return e.verdict(c, have == e.series.N)
	}
	return e.verdict(c, have == 0)
}

// onlyLate tells whether a flag can fail by lateness alone.
func (e evidence) onlyLate(name string, want bool) bool {
	return name == "late" && !want || name == "in_budget" && want && e.series.InBudget+e.series.Late == e.series.N
}

// undecidable is a failed check on lateness that this machine could not have
// passed: its margin, the p99 of the noise floor, swallows what was to be seen.
func (e evidence) undecidable(c Check) Check {
	s := e.series
	if c.Verdict != Fail || c.Requirement != "late" && c.Requirement != "in_budget" || s.OvershootMs == nil {
		return c
	}
	wide := s.MarginMs > timeline.LeastMarginMs && s.OvershootMs.Median > 0 && s.OvershootMs.Median <= s.MarginMs
	if wide || wording.FloorP95(s.NoiseFloorMs) > quietMs {
		c.Verdict = Inconclusive
		c.Reason = fmt.Sprintf("only more than %.2f ms counts as late in this run, because deadlines were that late on this machine: run it again when the machine is quiet", s.MarginMs)
	}
	return c
}

// of says how many operations a mix is made of: "success 90 of 90".
func (e evidence) of(mix string) string {
	if mix == "" {
		return fmt.Sprintf("none of %d", e.series.N)
	}
	return fmt.Sprintf("%s of %d", mix, e.series.N)
}

func countText(c scenario.Count) string {
	switch {
	case c.Min != nil && c.Max != nil:
		return fmt.Sprintf("%d to %d", *c.Min, *c.Max)
	case c.Min != nil:
		return fmt.Sprintf("at least %d", *c.Min)
	case c.Max != nil:
		return fmt.Sprintf("at most %d", *c.Max)
	}
	return fmt.Sprint(c.N)
}

// Counted tells the operations that are in the series from those that are
// invalid, disturbed or never ended.
func Counted(o *timeline.Operation) bool { return o.Finished && o.Valid && !o.Disturbed }

// Deref is *n, and 0 of a figure that is not known.
func Deref(n *int) int {
	if n == nil {
		return 0
	}
	return *n
}
