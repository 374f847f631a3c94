package variants

import (
	"fmt"
	"io"
	"net/http"
	"strconv"
	"sync/atomic"
	"testing"
	"time"

	"github.com/deadlinelab/deadlinelab/internal/eventlog"
)

// What each placement shows under the waits that tell it from others. The
// durations are the arithmetic of the waits.
func TestWaits(t *testing.T) {
	d300 := Policy{Budget: 300 * msec, MaxAttempts: 1}
	headers200 := Policy{Budget: 300 * msec, MaxAttempts: 1, Limits: Limits{SockRead: 200 * msec}}
	three := Policy{Budget: 1000 * msec, MaxAttempts: 3, Backoff: []time.Duration{100 * msec, 200 * msec}, Limits: Limits{Total: 400 * msec},
		RetryableStatuses: []int{503}, RetryableFailures: []eventlog.Outcome{eventlog.AttemptTimeout}}
	unlimited := three
	unlimited.Limits = Limits{}
	asleep := Policy{Budget: 300 * msec, MaxAttempts: 3, Backoff: []time.Duration{1000 * msec}, RetryableStatuses: []int{503}}
	trickle := dribble(200, 20, 1, 100*msec)
	for _, c := range []struct {
		wait, variant string
		policy        Policy
		upstream      http.HandlerFunc
		want          shown
	}{
		{"attempts add up", "attempt_timeout", three, hang, shown{eventlog.RetriesExhausted, 1500 * msec, 3}},
		{"attempt 1 eats all", "operation_deadline", unlimited, firstOnly(hang), shown{eventlog.DeadlineExceeded, 1000 * msec, 1}},
		{"attempt 1 eats its share", "budgeted", unlimited, firstOnly(hang), shown{eventlog.Success, 550 * msec, 2}},
		{"body trickle", "client_timeout", d300, trickle, shown{eventlog.AttemptTimeout, 300 * msec, 1}},
		{"body trickle", "header_timeout", headers200, trickle, shown{eventlog.Success, 2000 * msec, 1}},
		{"body trickle", "phase_timeouts", headers200, trickle, shown{eventlog.Success, 2000 * msec, 1}},
		{"body trickle", "budgeted", d300, trickle, shown{eventlog.DeadlineExceeded, 300 * msec, 1}},
		{"body stall", "header_timeout", headers200, stall, shown{eventlog.CapReached, 5000 * msec, 1}},
		{"body stall", "phase_timeouts", headers200, stall, shown{eventlog.CapReached, 5000 * msec, 1}},
		{"body stall", "client_timeout", d300, stall, shown{eventlog.AttemptTimeout, 300 * msec, 1}},
		{"silent head", "header_timeout", headers200, hang, shown{eventlog.AttemptTimeout, 200 * msec, 1}},
		{"1xx flood", "header_timeout", headers200, flood, shown{eventlog.AttemptTimeout, 200 * msec, 1}},
		{"1xx flood", "budgeted", d300, flood, shown{eventlog.DeadlineExceeded, 300 * msec, 1}},
		{"early cancel", "early_cancel", Policy{Budget: 5000 * msec, MaxAttempts: 1}, dribble(200, 10, 1, 20*msec), shown{eventlog.Cancelled, 0, 1}},
		{"false timeout", "client_timeout", d300, dribble(200, 20, 1000, 100*msec), shown{eventlog.AttemptTimeout, 300 * msec, 1}},
		{"redirect chain", "client_timeout", Policy{Budget: 400 * msec, MaxAttempts: 1}, redirects, shown{eventlog.AttemptTimeout, 400 * msec, 3}},
		{"redirect chain", "header_timeout", headers200, redirects, shown{eventlog.Success, 900 * msec, 6}},
		{"redirect chain", "budgeted", Policy{Budget: 400 * msec, MaxAttempts: 1}, redirects, shown{eventlog.DeadlineExceeded, 400 * msec, 3}},
		{"naive sleep", "naive_sleep", asleep, failing, shown{eventlog.DeadlineExceeded, 1000 * msec, 1}},
		{"naive sleep", "budgeted", asleep, failing, shown{eventlog.RetriesExhausted, 0, 1}},
		{"last attempt", "elapsed_limit", d300, after(1000*msec, answer), shown{eventlog.Success, 1000 * msec, 1}},
		{"last attempt fails", "elapsed_limit", asleep, after(290*msec, failing), shown{eventlog.DeadlineExceeded, 290 * msec, 1}},
		{"Retry-After", "budgeted", withBudget(three, 500), firstOnly(retryAfter("5")), shown{eventlog.RetriesExhausted, 0, 1}},
		{"Retry-After 0", "budgeted", three, firstOnly(retryAfter("0")), shown{eventlog.Success, 100 * msec, 2}},
		{"Retry-After that fits", "budgeted", withBudget(three, 2000), firstOnly(retryAfter("1")), shown{eventlog.Success, 1000 * msec, 2}},
		{"drain", "drain_by_bytes", three, firstOnly(dribble(503, 40, 1024, 100*msec)), shown{eventlog.DeadlineExceeded, 4000 * msec, 1}},
		{"drain", "budgeted", three, firstOnly(dribble(503, 40, 1024, 100*msec)), shown{eventlog.Success, 120 * msec, 2}},
		{"pause after the last attempt", "pause_after_last", three, failing, shown{eventlog.RetriesExhausted, 500 * msec, 3}},
		{"pause after the last attempt", "budgeted", three, failing, shown{eventlog.RetriesExhausted, 300 * msec, 3}},
		{"new budget per outer retry", "outer_retry", three, hang, shown{eventlog.DeadlineExceeded, 2000 * msec, 4}},
		{"chain", "chain_own_budgets", unlimited, after(950*msec, answer), shown{eventlog.Success, 2850 * msec, 3}},
		{"chain", "chain_shared_budget", unlimited, after(950*msec, answer), shown{eventlog.DeadlineExceeded, 1000 * msec, 2}},
		{"unverified body", "unverified_body", three, wrongBody, shown{eventlog.InvalidData, 0, 1}},
		{"dead attempts", "swallowed_cancel", withBudget(three, 300), hang, shown{eventlog.RetriesExhausted, 600 * msec, 1}},
	} {
		t.Run(c.wait+"/"+c.variant, func(t *testing.T) {
			inStand(t, c.variant, c.policy, c.upstream, func(s *stand) {
				if got, err := s.call(s.t.Context()); got != c.want {
					t.Errorf("%+v, want %+v: %v", got, c.want, err)
				}
			})
		})
	}
}

func withBudget(p Policy, ms int) Policy {
	p.Budget = time.Duration(ms) * msec
	return p
}

// firstOnly answers the first request so, and every later one well.
func firstOnly(first http.HandlerFunc) http.HandlerFunc {
	var requests atomic.Int64
	return func(w http.ResponseWriter, r *http.Request) {
		if requests.Add(1) == 1 {
			first(w, r)
			return
		}
		answer(w, r)
	}
}

func retryAfter(value string) http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Retry-After", value)
		w.WriteHeader(503)
	}
}

func flood(w http.ResponseWriter, _ *http.Request) {
	for range 40 {
		time.Sleep(50 * msec)
		w.WriteHeader(http.StatusEarlyHints)
	}
	io.WriteString(w, "marker")
}

// redirects sends the client on five times, 150 ms each, and then answers after as long.
func redirects(w http.ResponseWriter, r *http.Request) {
	time.Sleep(150 * msec)
	if hop, _ := strconv.Atoi(r.URL.Query().Get("hop")); hop < 5 {
		http.Redirect(w, r, fmt.Sprintf("/?hop=%d", hop+1), http.StatusFound)
		return
	}
	answer(w, r)
}

func wrongBody(w http.ResponseWriter, _ *http.Request) { io.WriteString(w, "something else") }
