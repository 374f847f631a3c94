package main

import (
	"fmt"
	"strings"

	"github.com/deadlinelab/deadlinelab/internal/eventlog"
	"github.com/deadlinelab/deadlinelab/internal/timeline"
	"github.com/deadlinelab/deadlinelab/internal/verdict"
)

// asSingle tells of the operations of a series that time ended whether a handler
// that is written for the client's single timeout meets their errors.
func (p *clientPage) asSingle(s verdict.Series) string {
	single := p.timeouts(SingleTimeout, s.Variant)
	if s.Scenario == SingleTimeout || len(single) == 0 {
		return ""
	}
	own, met := p.timeouts(s.Scenario, s.Variant), 0
	for _, class := range own {
		if meets(single[0], class) {
			met++
		}
	}
	switch {
	case len(own) == 0:
		return ""
	case met == len(own):
		return "yes"
	case met == 0:
		return "**no**"
	}
	return fmt.Sprintf("%d of %d", met, len(own))
}

// timeouts are the error types of the measured operations that time ended.
func (p *clientPage) timeouts(scenario, variant string) []string {
	var list []string
	for _, o := range p.Operations {
		if o.Scenario == scenario && o.Variant == variant && o.Phase == eventlog.Measured && o.Valid && !o.Disturbed && o.ErrorType != "" && timedOut(o) {
			list = append(list, o.ErrorType)
		}
	}
	return list
}

// timedOut tells whether time ended the operation, or the last of its attempts.
func timedOut(o *timeline.Operation) bool {
	ended := o.Outcome
	if ended == eventlog.RetriesExhausted {
		ended = o.Last
	}
	switch ended {
	case eventlog.DeadlineExceeded, eventlog.AttemptTimeout, eventlog.ConnectTimeout:
		return true
	}
	return false
}

// meets tells whether a handler of the first error type meets the second. What
// context.DeadlineExceeded is has a method Timeout that says true; not
// everything that has one is context.DeadlineExceeded, but who looks for
// timeouts by that method meets both.
func meets(single, class string) bool { return handled(single) == handled(class) }

// handled is what is usual to look for in an error: the word after the colon.
func handled(class string) string {
	if at := strings.LastIndex(class, ": "); at >= 0 {
		class = class[at+2:]
	}
	if class == "context.DeadlineExceeded" {
		return "timeout"
	}
	return class
}
