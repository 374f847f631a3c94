package runner

import (
	"net/http"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/deadlinelab/deadlinelab/adapter"
	"github.com/deadlinelab/deadlinelab/internal/eventlog"
	"github.com/deadlinelab/deadlinelab/internal/fault"
	"github.com/deadlinelab/deadlinelab/internal/scenario"
	"github.com/deadlinelab/deadlinelab/internal/variants"
)

// reasonsOf lists, by reason, the shipped scenarios in which the client cannot
// be measured.
func reasonsOf(f *variants.Foreign) map[string][]string {
	reasons := map[string][]string{}
	for _, s := range scenario.All() {
		if text := notApplicable(s, f); text != "" {
			reasons[text] = append(reasons[text], s.Name)
		}
	}
	return reasons
}

// adapterWithout has every capability but those.
func adapterWithout(lacking ...string) *variants.Foreign {
	f := &variants.Foreign{Kind: eventlog.AdapterClient}
	for _, c := range adapter.Capabilities {
		if !slices.Contains(lacking, c) {
			f.Can = append(f.Can, c)
		}
	}
	return f
}

const (
	noSlots      = "the client has no slots that the bench could occupy"
	noLeadSlots  = "the client has no slots that an operation before this one could hold"
	noQueue      = "the client has no slots that several callers could share"
	noPool       = "the client has no pool of which the bench could occupy the only connection"
	noSharedPool = "the client has no pool that several callers could share"
	noCancel     = "the client has no way to be cancelled by its caller"
	noPauses     = "the client does not report its pauses, so a cancel cannot be timed by one"
	noLeadPauses = "the client does not report its pauses, so the operation after it cannot be timed by one"
	noPost       = "the client sends no POST"
	noDeadline   = "the client cannot be given a deadline of its caller"
	oneCaller    = "a process per operation is never the client of several callers"
)

// Over everything that ships: what is asked of a client that can do all, of one
// that lacks one capability, and of a process per operation.
func TestNotApplicable(t *testing.T) {
	holdSlots := []string{"semaphore_wait", "admission_wait", "hang_after_the_queue"}
	holdConnection := []string{"pool_wait", "pool_queue"}
	lead := []string{"backoff_holds_slot", "slow_behind_a_pause"}
	cancelInPause := []string{"cancel_in_backoff", "swallowed_cancel"}
	together := []string{"admission_queue", "wedged_pool", "dials_live_on", "retry_storm", "retry_waves", "retry_waves_jittered", "idle_race", "stale_get", "stale_post"}
	posts := []string{"early_answer", "expect_ignored", "expect_refused", "upload_stall", "idle_race", "stale_post", "duplicate_effect", "duplicate_effect_unkeyed"}
	postsAlone := []string{"early_answer", "expect_ignored", "expect_refused", "upload_stall", "duplicate_effect", "duplicate_effect_unkeyed"}
	deadlines := []string{"expired_on_arrival", "nested_deadline", "outer_retry_bounded"}
	type reasons = map[string][]string
	for _, c := range []struct {
		name string
		f    *variants.Foreign
		want reasons
	}{
		{"everything", adapterWithout(), reasons{}},
		{"no cancel", adapterWithout(adapter.CanCancel), reasons{noCancel: {"cancel_in_http", "cancel_in_backoff", "wedged_pool", "swallowed_cancel"}}},
		{"no pool", adapterWithout(adapter.CanPool), reasons{noPool: holdConnection, noSharedPool: together}},
		{"no slots", adapterWithout(adapter.CanSlots), reasons{noSlots: holdSlots, noLeadSlots: lead, noQueue: {"admission_queue"}}},
		{"no attempts", adapterWithout(adapter.CanAttempts), reasons{}},
		{"no backoff", adapterWithout(adapter.CanBackoff), reasons{noPauses: cancelInPause, noLeadPauses: lead}},
		{"no body", adapterWithout(adapter.CanBody), reasons{noPost: posts}},
		{"no caller deadline", adapterWithout(adapter.CanCallerDeadline), reasons{noDeadline: deadlines}},
		{"exec", &variants.Foreign{Kind: eventlog.ExecClient, Can: []string{adapter.CanCancel}},
			reasons{noSlots: holdSlots, noLeadSlots: lead, noPool: holdConnection, noPauses: cancelInPause, noPost: postsAlone, noDeadline: deadlines, oneCaller: together}},
	} {
		if diff := cmp.Diff(c.want, reasonsOf(c.f)); diff != "" {
			t.Errorf("%s (-want +got):\n%s", c.name, diff)
		}
	}
}

// What no shipped scenario asks.
func TestNotApplicableElsewhere(t *testing.T) {
	edited := func(name string, edit func(*scenario.Scenario)) *scenario.Scenario {
		s := *load(t, name)
		edit(&s)
		return &s
	}
	waves := func(share string, slots int, pool *scenario.Pool) *scenario.Scenario {
		return edited("healthy", func(s *scenario.Scenario) {
			s.Callers, s.Slots, s.Pool = &scenario.Callers{Count: 5, Share: []string{share}}, slots, pool
		})
	}
	cancelOn := func(k eventlog.Kind) *scenario.Scenario {
		return edited("cancel_in_http", func(s *scenario.Scenario) {
			s.Fault = &fault.CancelInHTTP{Cancel: fault.Cancel{TriggerEvent: k}}
		})
	}
	for _, c := range []struct {
		name string
		s    *scenario.Scenario
		f    *variants.Foreign
		want string
	}{
		{"transport alone", waves(scenario.ShareTransport, 0, nil), adapterWithout(), ""},
		{"transport without slots", waves(scenario.ShareTransport, 2, nil), adapterWithout(), "callers that share a client's pool share its slots, too; here each has slots of its own"},
		{"slots it does not have", waves(scenario.ShareTransport, 2, nil), adapterWithout(adapter.CanSlots), ""},
		{"slots without transport", waves(scenario.ShareSlots, 2, &scenario.Pool{Limit: 1}), adapterWithout(), "callers that share a client's slots share its pool, too; here each has a pool of its own"},
		{"slots alone", waves(scenario.ShareSlots, 2, nil), adapterWithout(), ""},
		{"slot and connection", edited("pool_wait", func(s *scenario.Scenario) { s.Slots = 1 }), adapterWithout(), "the request that occupies the client's only connection would occupy its only slot, too"},
		{"a second slot", edited("pool_wait", func(s *scenario.Scenario) { s.Slots = 2 }), adapterWithout(), ""},
		{"HEAD", edited("healthy", func(s *scenario.Scenario) { s.Method = http.MethodHead }), adapterWithout(adapter.CanBody), "the client sends no HEAD"},
		{"key", edited("healthy", func(s *scenario.Scenario) { s.IdempotencyKey = true }), adapterWithout(adapter.CanBody), "the client sends no request body and no Idempotency-Key"},
		{"attempts", cancelOn(eventlog.AttemptStarted), adapterWithout(adapter.CanAttempts), "the client does not report its attempts, so a cancel cannot be timed by one"},
		{"admission", cancelOn(eventlog.AdmissionAcquired), adapterWithout(adapter.CanSlots), "the client does not report its slots, so a cancel cannot be timed by one"},
		{"never reported", cancelOn(eventlog.RequestWritten), adapterWithout(), "the client does not report request_written, so a cancel cannot be timed by one"},
		{"the server's", cancelOn(eventlog.ServerHeadersWritten), adapterWithout(adapter.CanAttempts), ""},
		{"one caller", edited("retry_storm", func(s *scenario.Scenario) { s.Callers = &scenario.Callers{Count: 1} }), &variants.Foreign{Kind: eventlog.ExecClient}, ""},
	} {
		if got := notApplicable(c.s, c.f); got != c.want {
			t.Errorf("%s: %q, want %q", c.name, got, c.want)
		}
	}
}
