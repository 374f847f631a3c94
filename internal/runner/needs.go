package runner

import (
	"fmt"
	"net/http"
	"slices"

	"github.com/deadlinelab/deadlinelab/adapter"
	"github.com/deadlinelab/deadlinelab/internal/eventlog"
	"github.com/deadlinelab/deadlinelab/internal/scenario"
	"github.com/deadlinelab/deadlinelab/internal/variants"
)

// notApplicable says why a client in a process of its own cannot be measured in
// the scenario; empty = it can. What a wait needs on the client's side cannot
// be arranged in a client that does not let the bench do so, and a wait that was
// not arranged proves nothing.
func notApplicable(s *scenario.Scenario, f *variants.Foreign) string {
	for _, reason := range []func(*scenario.Scenario, *variants.Foreign) string{
		callersReason, slotsReason, poolReason, leadReason, cancelReason, requestReason,
	} {
		if text := reason(s, f); text != "" {
			return text
		}
	}
	return ""
}

func callersReason(s *scenario.Scenario, f *variants.Foreign) string {
	if s.CallersOf() > 1 && f.Kind == eventlog.ExecClient {
		return "a process per operation is never the client of several callers"
	}
	transport, slots := s.Shares(scenario.ShareTransport), s.Shares(scenario.ShareSlots)
	switch {
	case s.CallersOf() == 1 || transport == slots:
		return ""
	case transport && s.Slots > 0 && f.Able(adapter.CanSlots):
		return "callers that share a client's pool share its slots, too; here each has slots of its own"
	case slots && s.Pool != nil && f.Able(adapter.CanPool):
		return "callers that share a client's slots share its pool, too; here each has a pool of its own"
	}
	return ""
}

func slotsReason(s *scenario.Scenario, f *variants.Foreign) string {
	a := s.Fault.Arrangement()
	switch {
	case s.Slots == 0 || f.Able(adapter.CanSlots):
		return ""
	case a.HoldSlot > 0:
		return "the client has no slots that the bench could occupy"
	case a.LeadUntil != "":
		return "the client has no slots that an operation before this one could hold"
	case s.CallersOf() > 1 && s.Shares(scenario.ShareSlots):
		return "the client has no slots that several callers could share"
	}
	return ""
}

func poolReason(s *scenario.Scenario, f *variants.Foreign) string {
	held := s.Fault.Arrangement().HoldConnection > 0
	switch {
	case held && !f.Able(adapter.CanPool):
		return "the client has no pool of which the bench could occupy the only connection"
	case held && s.Slots == 1 && f.Able(adapter.CanSlots):
		return "the request that occupies the client's only connection would occupy its only slot, too"
	case s.CallersOf() > 1 && s.Shares(scenario.ShareTransport) && !f.Able(adapter.CanPool):
		return "the client has no pool that several callers could share"
	}
	return ""
}

func leadReason(s *scenario.Scenario, f *variants.Foreign) string {
	until := s.Fault.Arrangement().LeadUntil
	if what := unreported(until, f); what != "" {
		return fmt.Sprintf("the client does not report %s, so the operation after it cannot be timed by one", what)
	}
	return ""
}

func cancelReason(s *scenario.Scenario, f *variants.Foreign) string {
	on := s.Fault.Arrangement().CancelOn
	if on == "" {
		return ""
	}
	if !f.Able(adapter.CanCancel) {
		return "the client has no way to be cancelled by its caller"
	}
	if what := unreported(on, f); what != "" {
		return fmt.Sprintf("the client does not report %s, so a cancel cannot be timed by one", what)
	}
	return ""
}

// unreported names what the client does not report; empty = it reports such
// events, or the server does.
func unreported(k eventlog.Kind, f *variants.Foreign) string {
	switch k {
	case "", eventlog.OperationStarted:
		return ""
	case eventlog.BackoffStarted, eventlog.BackoffFinished:
		return unlessAble(f, adapter.CanBackoff, "its pauses")
	case eventlog.AdmissionWaitStarted, eventlog.AdmissionAcquired, eventlog.AdmissionReleased:
		return unlessAble(f, adapter.CanSlots, "its slots")
	case eventlog.AttemptStarted, eventlog.AttemptTimedOut, eventlog.AttemptFailed:
		return unlessAble(f, adapter.CanAttempts, "its attempts")
	}
	if slices.Contains(ofTheServer, k) {
		return ""
	}
	return string(k)
}

func unlessAble(f *variants.Foreign, capability, what string) string {
	if f.Able(capability) {
		return ""
	}
	return what
}

// ofTheServer are the events of the server that a cancel can follow.
var ofTheServer = []eventlog.Kind{eventlog.ServerRequestStarted, eventlog.FaultArmed, eventlog.FaultFired,
	eventlog.ServerHeadersPrepared, eventlog.ServerHeadersWritten, eventlog.ServerBodyWritten}

func requestReason(s *scenario.Scenario, f *variants.Foreign) string {
	plain := s.Method == "" || s.Method == http.MethodGet
	switch {
	case !plain && !f.Able(adapter.CanBody):
		return "the client sends no " + s.Method
	case (s.BodyBytes > 0 || s.IdempotencyKey) && !f.Able(adapter.CanBody):
		return "the client sends no request body and no Idempotency-Key"
	case s.CallerDeadlineMs != nil && !f.Able(adapter.CanCallerDeadline):
		return "the client cannot be given a deadline of its caller"
	}
	return ""
}
