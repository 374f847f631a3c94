package runner

import (
	"net/http"
	"slices"
	"strings"
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
func reasonsOf(f *variants.External) map[string][]string {
	reasons := map[string][]string{}
	for _, s := range scenario.All() {
		if text := notApplicable(s, f); text != "" {
			reasons[text] = append(reasons[text], s.Name)
		}
	}
	return reasons
}

// adapterWithout has every capability but those.
func adapterWithout(lacking ...string) *variants.External {
	f := &variants.External{Kind: eventlog.AdapterClient}
	for _, c := range adapter.Capabilities {
		if !slices.Contains(lacking, c) {
			f.Can = append(f.Can, c)
		}
	}
	return f
}

const (
	see          = " (docs/adapter-protocol.md)"
	noSlots      = "the bench cannot occupy its slots: its hello does not list the capability slots" + see
	noLeadSlots  = "the bench cannot let an operation before this one hold its slots: its hello does not list the capability slots" + see
	noQueue      = "the bench cannot let several callers share its slots: its hello does not list the capability slots" + see
	noPool       = "the bench cannot occupy its only connection: its hello does not list the capability pool" + see
	noSharedPool = "the bench cannot let several callers share its pool: its hello does not list the capability pool" + see
	noCancel     = "the bench cannot cancel its calls as their caller would: its hello does not list the capability cancel" + see
	noPauses     = "the bench cannot see a pause of the client, nor time a cancel by it: its hello does not list the capability backoff" + see
	noLeadPauses = "the bench cannot see a pause of the client, nor start the next operation by it: its hello does not list the capability backoff" + see
	noPost       = "the bench cannot ask it for a POST: its hello does not list the capability body" + see
	noDeadline   = "the bench cannot hand it a deadline of its caller: its hello does not list the capability caller_deadline" + see
	oneCaller    = "several callers cannot share this client: a process per operation serves one; an adapter can serve several" + see
)

// ofExec is a reason as a process per operation is given it.
func ofExec(reason string) string {
	what, capability, _ := strings.Cut(strings.TrimSuffix(reason, see), ": its hello does not list the capability ")
	return what + ": a process per operation cannot be asked to; an adapter with the capability " + capability + " can" + see
}

// Over everything that ships: what is asked of a client that can do all, of one
// that lacks one capability, and of a process per operation.
func TestNotApplicable(t *testing.T) {
	holdSlots := []string{"semaphore_wait", "admission_wait", "hang_after_the_queue"}
	holdConnection := []string{"pool_wait", "pool_queue"}
	lead := []string{"backoff_holds_slot", "slow_behind_a_pause"}
	cancelInPause := []string{"cancel_in_backoff", "swallowed_cancel"}
	together := []string{"admission_queue", "wedged_pool", "dials_live_on", "retry_storm", "retry_waves", "retry_waves_jittered", "idle_race", "stale_get", "stale_post"}
	posts := []string{"early_answer", "expect_ignored", "expect_refused", "slow_upload", "upload_stall", "idle_race", "stale_post", "duplicate_effect", "duplicate_effect_unkeyed"}
	postsAlone := []string{"early_answer", "expect_ignored", "expect_refused", "slow_upload", "upload_stall", "duplicate_effect", "duplicate_effect_unkeyed"}
	deadlines := []string{"expired_on_arrival", "nested_deadline", "outer_retry_bounded"}
	type reasons = map[string][]string
	for _, c := range []struct {
		name string
		f    *variants.External
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
		{"exec", &variants.External{Kind: eventlog.ExecClient, Can: []string{adapter.CanCancel}},
			reasons{ofExec(noSlots): holdSlots, ofExec(noLeadSlots): lead, ofExec(noPool): holdConnection, ofExec(noPauses): cancelInPause,
				ofExec(noPost): postsAlone, ofExec(noDeadline): deadlines, oneCaller: together}},
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
		f    *variants.External
		want string
	}{
		{"transport alone", waves(scenario.ShareTransport, 0, nil), adapterWithout(), ""},
		{"transport without slots", waves(scenario.ShareTransport, 2, nil), adapterWithout(), "callers that share a client's pool share its slots, too; here each has slots of its own (callers.share without slots)"},
		{"slots it does not have", waves(scenario.ShareTransport, 2, nil), adapterWithout(adapter.CanSlots), ""},
		{"slots without transport", waves(scenario.ShareSlots, 2, &scenario.Pool{Limit: 1}), adapterWithout(), "callers that share a client's slots share its pool, too; here each has a pool of its own (callers.share without transport)"},
		{"slots alone", waves(scenario.ShareSlots, 2, nil), adapterWithout(), ""},
		{"slot and connection", edited("pool_wait", func(s *scenario.Scenario) { s.Slots = 1 }), adapterWithout(), "the request that occupies the client's only connection would occupy its only slot, too: with slots: 1 the wait for a connection cannot be told from that for a slot"},
		{"a second slot", edited("pool_wait", func(s *scenario.Scenario) { s.Slots = 2 }), adapterWithout(), ""},
		{"HEAD", edited("healthy", func(s *scenario.Scenario) { s.Method = http.MethodHead }), adapterWithout(adapter.CanBody), "the bench cannot ask it for a HEAD: its hello does not list the capability body" + see},
		{"key", edited("healthy", func(s *scenario.Scenario) { s.IdempotencyKey = true }), adapterWithout(adapter.CanBody), "the bench cannot ask it for a request body or an Idempotency-Key: its hello does not list the capability body" + see},
		{"attempts", cancelOn(eventlog.AttemptStarted), adapterWithout(adapter.CanAttempts), "the bench cannot see an attempt of the client, nor time a cancel by it: its hello does not list the capability attempts" + see},
		{"admission", cancelOn(eventlog.AdmissionAcquired), adapterWithout(adapter.CanSlots), "the bench cannot see the client's use of a slot, nor time a cancel by it: its hello does not list the capability slots" + see},
		{"never reported", cancelOn(eventlog.RequestWritten), adapterWithout(), "the bench cannot see request_written, nor time a cancel by it: no client in a process of its own reports it"},
		{"the server's", cancelOn(eventlog.ServerHeadersWritten), adapterWithout(adapter.CanAttempts), ""},
		{"one caller", edited("retry_storm", func(s *scenario.Scenario) { s.Callers = &scenario.Callers{Count: 1} }), &variants.External{Kind: eventlog.ExecClient}, ""},
	} {
		if got := notApplicable(c.s, c.f); got != c.want {
			t.Errorf("%s: %q, want %q", c.name, got, c.want)
		}
	}
}
