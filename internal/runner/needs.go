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
func notApplicable(s *scenario.Scenario, f *variants.External) string {
	for _, reason := range []func(*scenario.Scenario, *variants.External) string{
		callersReason, slotsReason, poolReason, leadReason, cancelReason, requestReason,
	} {
		if text := reason(s, f); text != "" {
			return text
		}
	}
	return ""
}

// unable says what the bench cannot do with a client, and what the client's
// author can do about it.
func unable(f *variants.External, capability, what string) string {
	why := fmt.Sprintf("its hello does not list the capability %s", capability)
	if f.Kind == eventlog.ExecClient {
		why = fmt.Sprintf("a process per operation cannot be asked to; an adapter with the capability %s can", capability)
	}
	return fmt.Sprintf("the bench cannot %s: %s (docs/adapter-protocol.md)", what, why)
}

func callersReason(s *scenario.Scenario, f *variants.External) string {
	if s.CallersOf() > 1 && f.Kind == eventlog.ExecClient {
		return "several callers cannot share this client: a process per operation serves one; an adapter can serve several (docs/adapter-protocol.md)"
	}
	transport, slots := s.Shares(scenario.ShareTransport), s.Shares(scenario.ShareSlots)
	switch {
	case s.CallersOf() == 1 || transport == slots:
		return ""
	case transport && s.Slots > 0 && f.Able(adapter.CanSlots):
		return "callers that share a client's pool share its slots, too; here each has slots of its own (callers.share without slots)"
	case slots && s.Pool != nil && f.Able(adapter.CanPool):
		return "callers that share a client's slots share its pool, too; here each has a pool of its own (callers.share without transport)"
	}
	return ""
}

func slotsReason(s *scenario.Scenario, f *variants.External) string {
	a := s.Fault.Arrangement()
	switch {
	case s.Slots == 0 || f.Able(adapter.CanSlots):
		return ""
	case a.HoldSlot > 0:
		return unable(f, adapter.CanSlots, "occupy its slots")
	case a.LeadUntil != "":
		return unable(f, adapter.CanSlots, "let an operation before this one hold its slots")
	case s.CallersOf() > 1 && s.Shares(scenario.ShareSlots):
		return unable(f, adapter.CanSlots, "let several callers share its slots")
	}
	return ""
}

func poolReason(s *scenario.Scenario, f *variants.External) string {
	held := s.Fault.Arrangement().HoldConnection > 0
	switch {
	case held && !f.Able(adapter.CanPool):
		return unable(f, adapter.CanPool, "occupy its only connection")
	case held && s.Slots == 1 && f.Able(adapter.CanSlots):
		return "the request that occupies the client's only connection would occupy its only slot, too: with slots: 1 the wait for a connection cannot be told from that for a slot"
	case s.CallersOf() > 1 && s.Shares(scenario.ShareTransport) && !f.Able(adapter.CanPool):
		return unable(f, adapter.CanPool, "let several callers share its pool")
	}
	return ""
}

func leadReason(s *scenario.Scenario, f *variants.External) string {
	return unseen(s.Fault.Arrangement().LeadUntil, f, "start the next operation by it")
}

func cancelReason(s *scenario.Scenario, f *variants.External) string {
	on := s.Fault.Arrangement().CancelOn
	if on == "" {
		return ""
	}
	if !f.Able(adapter.CanCancel) {
		return unable(f, adapter.CanCancel, "cancel its calls as their caller would")
	}
	return unseen(on, f, "time a cancel by it")
}

// unseen says that the client does not report such an event, and what the bench
// then cannot do; empty = it does, or the server does.
func unseen(k eventlog.Kind, f *variants.External, then string) string {
	switch k {
	case "", eventlog.OperationStarted:
		return ""
	case eventlog.BackoffStarted, eventlog.BackoffFinished:
		return unlessAble(f, adapter.CanBackoff, "see a pause of the client, nor "+then)
	case eventlog.AdmissionWaitStarted, eventlog.AdmissionAcquired, eventlog.AdmissionReleased:
		return unlessAble(f, adapter.CanSlots, "see the client's use of a slot, nor "+then)
	case eventlog.AttemptStarted, eventlog.AttemptTimedOut, eventlog.AttemptFailed:
		return unlessAble(f, adapter.CanAttempts, "see an attempt of the client, nor "+then)
	}
	if slices.Contains(ofTheServer, k) {
		return ""
	}
	return fmt.Sprintf("the bench cannot see %s, nor %s: no client in a process of its own reports it", k, then)
}

func unlessAble(f *variants.External, capability, what string) string {
	if f.Able(capability) {
		return ""
	}
	return unable(f, capability, what)
}

// ofTheServer are the events of the server that a cancel can follow.
var ofTheServer = []eventlog.Kind{eventlog.ServerRequestStarted, eventlog.FaultArmed, eventlog.FaultFired,
	eventlog.ServerHeadersPrepared, eventlog.ServerHeadersWritten, eventlog.ServerBodyWritten}

func requestReason(s *scenario.Scenario, f *variants.External) string {
	plain := s.Method == "" || s.Method == http.MethodGet
	switch {
	case !plain && !f.Able(adapter.CanBody):
		return unable(f, adapter.CanBody, "ask it for a "+s.Method)
	case (s.BodyBytes > 0 || s.IdempotencyKey) && !f.Able(adapter.CanBody):
		return unable(f, adapter.CanBody, "ask it for a request body or an Idempotency-Key")
	case s.CallerDeadlineMs != nil && !f.Able(adapter.CanCallerDeadline):
		return unable(f, adapter.CanCallerDeadline, "hand it a deadline of its caller")
	}
	return ""
}
