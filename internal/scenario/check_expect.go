package scenario

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/deadlinelab/deadlinelab/internal/eventlog"
)

// smallestMarginMs is the least margin_ms that late can have.
const smallestMarginMs = 5

func (w *walker) checkExpect(s *Scenario) {
	if !w.has("expect") || !w.clean("variants") {
		return
	}
	for i, v := range s.Variants {
		if _, ok := s.Expect[v]; !ok {
			w.reject(fmt.Sprintf("variants[%d]", i), quoted(v)+" without an expectation", "expect."+v, "add it, or take the variant off the list")
		}
	}
	for _, v := range slices.Sorted(maps.Keys(s.Expect)) {
		if !slices.Contains(s.Variants, v) {
			w.reject("expect."+v, "an expectation for a variant that is not listed", "one of "+names(s.Variants), suggest(v, s.Variants, "list it under variants too"))
		}
		e := s.Expect[v]
		w.checkOutcome("expect."+v, e)
		w.checkLeaks("expect."+v+".leaks", e.Leaks)
		w.checkGroup("expect."+v, e, s)
		if w.clean("expect."+v) && w.clean("operation") {
			w.checkContradictions("expect."+v, e, deadlineOf(s))
		}
	}
}

func (w *walker) checkOutcome(path string, e Expect) {
	if e == (Expect{}) && w.clean(path) {
		w.reject(path, "an empty expectation", "at least one key, such as outcome", "write what this variant must show")
	}
	if e.Outcome != nil && !e.Outcome.Known() {
		known := names(eventlog.Outcomes)
		w.reject(path+".outcome", quoted(string(*e.Outcome)), "one of "+known, suggest(string(*e.Outcome), strings.Split(known, ", "), "choose one of these"))
	}
}

// deadlineOf is the operation with the budget that counts: the caller's own
// deadline, if that is earlier; one that had expired on arrival is t0.
func deadlineOf(s *Scenario) *Operation {
	o := s.Operation
	if s.CallerDeadlineMs != nil {
		o.BudgetMs = max(0, min(o.BudgetMs, *s.CallerDeadlineMs))
	}
	return &o
}

// checkLeaks: the probe ends as any operation does.
func (w *walker) checkLeaks(path string, k *Leaks) {
	if k == nil {
		return
	}
	if *k == (Leaks{}) && w.clean(path) {
		w.reject(path, "an empty expectation", "at least one leak", "remove the key: nothing may leak without it")
	}
	if k.Probe != nil && !k.Probe.Known() {
		known := names(eventlog.Outcomes)
		w.reject(path+".probe", quoted(string(*k.Probe)), "one of "+known, suggest(string(*k.Probe), strings.Split(known, ", "), "choose one of these"))
	}
}

// checkGroup: without callers there is no group to count.
func (w *walker) checkGroup(path string, e Expect, s *Scenario) {
	if s.Callers != nil {
		return
	}
	for _, of := range []struct {
		key   string
		count *Count
	}{{"group_requests", e.GroupRequests}, {"peak_arrivals", e.PeakArrivals}, {"peak_retry_arrivals", e.PeakRetryArrivals}} {
		if of.count != nil {
			w.reject(path+"."+of.key, "an expectation of a group", "callers in the scenario", "add callers, or remove the key")
		}
	}
}

// checkContradictions refuses what no operation could show, whatever happens.
func (w *walker) checkContradictions(path string, e Expect, o *Operation) {
	for _, c := range contradictions {
		if key, found, want := c(e, o); key != "" {
			w.reject(path+"."+key, found, want, "change one of the two")
		}
	}
}

// contradiction returns the key at fault, or an empty one.
type contradiction func(e Expect, o *Operation) (key, found, want string)

// What depends on how a variant is built is for the plan to judge.
var contradictions = []contradiction{requestsWithoutAttempts, exhaustedWithoutRetries,
	inBudgetFailure, lateAndInBudget, lateButShort, inTimeButLong, bodyWithoutHeaders, successWithoutBody,
	overshootAgainstDuration}

func requestsWithoutAttempts(e Expect, _ *Operation) (string, string, string) {
	if e.Attempts == nil || e.ServerRequests == nil || !e.Attempts.only(0) || e.ServerRequests.least() == 0 {
		return "", "", ""
	}
	return "server_requests", fmt.Sprint(e.ServerRequests.least()), "0, because attempts is 0"
}

func exhaustedWithoutRetries(e Expect, o *Operation) (string, string, string) {
	if !e.is(eventlog.RetriesExhausted) || o.MaxAttempts > 1 && (e.Attempts == nil || !e.Attempts.only(0)) {
		return "", "", ""
	}
	return "outcome", "retries_exhausted", "the failure itself where no further attempt is allowed"
}

func inBudgetFailure(e Expect, _ *Operation) (string, string, string) {
	if e.Outcome == nil || e.is(eventlog.Success) || !yes(e.InBudget) {
		return "", "", ""
	}
	return "in_budget", "true", fmt.Sprintf("false, because %s is not a success", *e.Outcome)
}

func lateAndInBudget(e Expect, _ *Operation) (string, string, string) {
	if !yes(e.Late) || !yes(e.InBudget) {
		return "", "", ""
	}
	return "in_budget", "true", "false, because late is true"
}

func lateButShort(e Expect, o *Operation) (string, string, string) {
	if !yes(e.Late) || e.DurationMs == nil || e.DurationMs.most() > o.BudgetMs {
		return "", "", ""
	}
	return "late", "true", fmt.Sprintf("false, because duration_ms is at most %s of a budget of %s ms", number(e.DurationMs.most()), number(o.BudgetMs))
}

func inTimeButLong(e Expect, o *Operation) (string, string, string) {
	if e.DurationMs == nil || e.DurationMs.least() <= o.BudgetMs+smallestMarginMs {
		return "", "", ""
	}
	because := fmt.Sprintf("because duration_ms is at least %s of a budget of %s ms", number(e.DurationMs.least()), number(o.BudgetMs))
	switch {
	case no(e.Late):
		return "late", "false", "true, " + because
	case yes(e.InBudget):
		return "in_budget", "true", "false, " + because
	}
	return "", "", ""
}

func bodyWithoutHeaders(e Expect, _ *Operation) (string, string, string) {
	if !yes(e.BodyComplete) || !no(e.HeadersReceived) {
		return "", "", ""
	}
	return "body_complete", "true", "false, because headers_received is false"
}

func successWithoutBody(e Expect, _ *Operation) (string, string, string) {
	switch {
	case !e.is(eventlog.Success):
		return "", "", ""
	case no(e.HeadersReceived):
		return "headers_received", "false", "true, because the outcome is success"
	case no(e.BodyComplete):
		return "body_complete", "false", "true, because the outcome is success"
	}
	return "", "", ""
}

func overshootAgainstDuration(e Expect, o *Operation) (string, string, string) {
	if e.OvershootMs == nil || e.DurationMs == nil {
		return "", "", ""
	}
	lo, hi := e.DurationMs.least()-o.BudgetMs, e.DurationMs.most()-o.BudgetMs
	if e.OvershootMs.most() >= lo-smallestMarginMs && e.OvershootMs.least() <= hi+smallestMarginMs {
		return "", "", ""
	}
	return "overshoot_ms", e.OvershootMs.text(), "duration_ms − budget_ms, about " + Duration{MinMs: &lo, MaxMs: &hi}.text()
}
