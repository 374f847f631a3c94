package main

import (
	"testing"

	"github.com/deadlinelab/deadlinelab/internal/eventlog"
	"github.com/deadlinelab/deadlinelab/internal/timeline"
	"github.com/deadlinelab/deadlinelab/internal/verdict"
)

func measuredIn(scenario string, o timeline.Operation) *timeline.Operation {
	o.Scenario, o.Variant, o.Phase, o.Valid = scenario, "mine", eventlog.Measured, true
	return &o
}

// Whether a handler of the single timeout meets the errors of another wait.
func TestAsSingle(t *testing.T) {
	type operation = timeline.Operation
	for name, c := range map[string]struct {
		single string
		wait   []operation
		want   string
	}{
		"one class":              {"TimeoutError", []operation{{Outcome: eventlog.DeadlineExceeded, ErrorType: "TimeoutError"}}, "yes"},
		"another class":          {"TimeoutError", []operation{{Outcome: eventlog.DeadlineExceeded, ErrorType: "CancelledError"}}, "**no**"},
		"wrapped otherwise":      {"*url.Error: context.DeadlineExceeded", []operation{{Outcome: eventlog.DeadlineExceeded, ErrorType: "context.DeadlineExceeded"}}, "yes"},
		"by its method":          {"*url.Error: context.DeadlineExceeded", []operation{{Outcome: eventlog.AttemptTimeout, ErrorType: "*net.OpError: timeout"}}, "yes"},
		"a sentinel":             {"*url.Error: timeout.ErrExceeded", []operation{{Outcome: eventlog.DeadlineExceeded, ErrorType: "*url.Error: context.DeadlineExceeded"}}, "**no**"},
		"one base class":         {"requests.ReadTimeout: requests.Timeout", []operation{{Outcome: eventlog.ConnectTimeout, ErrorType: "requests.ConnectTimeout: requests.Timeout"}}, "yes"},
		"the base class itself":  {"H: T", []operation{{Outcome: eventlog.ConnectTimeout, ErrorType: "T"}}, "yes"},
		"some":                   {"A", []operation{{Outcome: eventlog.AttemptTimeout, ErrorType: "A"}, {Outcome: eventlog.AttemptTimeout, ErrorType: "B"}}, "1 of 2"},
		"retries of timeouts":    {"A", []operation{{Outcome: eventlog.RetriesExhausted, Last: eventlog.AttemptTimeout, ErrorType: "B"}}, "**no**"},
		"retries of something":   {"A", []operation{{Outcome: eventlog.RetriesExhausted, Last: eventlog.ConnectError, ErrorType: "B"}}, ""},
		"time did not end it":    {"A", []operation{{Outcome: eventlog.ConnectError, ErrorType: "B"}}, ""},
		"no single timeout":      {"", []operation{{Outcome: eventlog.AttemptTimeout, ErrorType: "B"}}, ""},
		"a disturbed operation":  {"A", []operation{{Outcome: eventlog.AttemptTimeout, ErrorType: "B", Disturbed: true}}, ""},
		"a variant of the bench": {"A", []operation{{Outcome: eventlog.AttemptTimeout}}, ""},
	} {
		p := &clientPage{}
		p.Operations = append(p.Operations, measuredIn(SingleTimeout, operation{Outcome: eventlog.AttemptTimeout, ErrorType: c.single}))
		for _, o := range c.wait {
			p.Operations = append(p.Operations, measuredIn("wait", o))
		}
		if got := p.asSingle(verdict.Series{Series: timeline.Series{Scenario: "wait", Variant: "mine"}}); got != c.want {
			t.Errorf("%s: %q, expected %q", name, got, c.want)
		}
	}
}
