package variants

import (
	"bytes"
	"compress/gzip"
	"context"
	"io"
	"net/http"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/deadlinelab/deadlinelab/internal/eventlog"
)

// ledger is an upstream whose handler commits although the client has left:
// once for each key, and for each request without one.
type ledger struct {
	mu      sync.Mutex
	keys    map[string]bool
	commits int
	ids     []string
	bodies  []int64
}

func (l *ledger) serve(w http.ResponseWriter, r *http.Request) {
	n, _ := io.Copy(io.Discard, r.Body)
	time.Sleep(200 * msec)
	l.mu.Lock()
	defer l.mu.Unlock()
	key := r.Header.Get("Idempotency-Key")
	if key == "" || !l.keys[key] {
		l.commits++
	}
	l.keys[key] = true
	l.ids = append(l.ids, r.Header.Get("Deadlinelab-Request-Id"))
	l.bodies = append(l.bodies, n)
}

// A POST that commits after its attempt was given up: what the server has done,
// and what it was sent.
func TestEffects(t *testing.T) {
	policy := Policy{Budget: 1000 * msec, MaxAttempts: 3, Backoff: []time.Duration{10 * msec}, Limits: Limits{Total: 100 * msec},
		RetryableFailures: []eventlog.Outcome{eventlog.AttemptTimeout}}
	for _, c := range []struct {
		name, variant, method, key string
		want                       eventlog.Outcome
		requests, commits          int
	}{
		{"one attempt", "single_attempt", "POST", "", eventlog.AttemptTimeout, 1, 1},
		{"careless", "careless_retry", "POST", "key", eventlog.RetriesExhausted, 3, 3},
		{"keyed", "budgeted", "POST", "key", eventlog.RetriesExhausted, 3, 1},
		{"not repeated", "budgeted", "POST", "", eventlog.DeadlineExceeded, 1, 1},
		{"not repeated", "budgeted", "PATCH", "", eventlog.DeadlineExceeded, 1, 1},
		{"repeatable", "budgeted", "PUT", "", eventlog.RetriesExhausted, 3, 3},
	} {
		p := policy
		if c.want == eventlog.DeadlineExceeded { // without a cap, what is not repeated has all the time there is
			p.Limits, p.Budget = Limits{}, 150*msec
		}
		l := &ledger{keys: map[string]bool{}}
		inStand(t, c.variant, p, l.serve, func(s *stand) {
			s.env.Method, s.env.IdempotencyKey, s.env.BodyBytes, s.env.RequestID = c.method, c.key, 100_000, "op-1"
			got, err := s.call(s.t.Context())
			time.Sleep(time.Second)
			l.mu.Lock()
			defer l.mu.Unlock()
			if got.outcome != c.want || len(l.ids) != c.requests || l.commits != c.commits {
				t.Errorf("%s %s: %s, %d requests, %d commits, want %s, %d, %d: %v", c.name, c.method, got.outcome, len(l.ids), l.commits, c.want, c.requests, c.commits, err)
			}
			if len(slices.Compact(l.ids)) != 1 || l.ids[0] != "op-1" || slices.Min(l.bodies) != 100_000 {
				t.Errorf("%s: request ids %q, bodies of %v bytes", c.name, l.ids, l.bodies)
			}
		})
	}
}

// Fifty callers of an upstream that always fails: 150 requests, or at most 55.
func TestRetryStorm(t *testing.T) {
	policy := Policy{Budget: 1000 * msec, MaxAttempts: 3, Backoff: []time.Duration{10 * msec}, RetryableStatuses: []int{503}}
	for variant, want := range map[string]int64{"operation_deadline": 150, "retry_budget": 55, "budgeted": 55} {
		inStand(t, variant, policy, after(time.Millisecond, failing), func(s *stand) {
			s.env.RetryBudget = &RetryBudget{}
			var callers sync.WaitGroup
			for range 50 {
				callers.Go(func() { s.call(s.t.Context()) })
			}
			callers.Wait()
			if got := s.requests.Load(); got != want {
				t.Errorf("%s: %d requests, want %d", variant, got, want)
			}
		})
	}
}

// A slot that another holds for a second, out of a budget of 300 ms.
func TestAdmission(t *testing.T) {
	for variant, want := range map[string]shown{
		"unbounded_queue":    {eventlog.DeadlineExceeded, 1000 * msec, 0},
		"client_timeout":     {eventlog.Success, 1000 * msec, 1},
		"operation_deadline": {eventlog.DeadlineExceeded, 300 * msec, 0},
		"budgeted":           {eventlog.DeadlineExceeded, 300 * msec, 0},
		"refusing":           {eventlog.Refused, 0, 0},
	} {
		inStand(t, variant, Policy{Budget: 300 * msec, MaxAttempts: 1}, answer, func(s *stand) {
			s.slots.queue = make(chan struct{}, 1)
			s.slots.queue <- struct{}{}
			time.AfterFunc(time.Second, s.slots.Release)
			if got, err := s.call(s.t.Context()); got != want {
				t.Errorf("%s: %+v, want %+v: %v", variant, got, want, err)
			}
		})
	}
}

// The caller's own deadline is the earlier one: it ends every call of a caller
// that calls again too. One that has passed sends nothing.
func TestCallersDeadline(t *testing.T) {
	policy := Policy{Budget: 1000 * msec, MaxAttempts: 1}
	for _, variant := range []string{"operation_deadline", "budgeted", "outer_retry", "chain_own_budgets", "client_timeout", "elapsed_limit"} {
		for own, want := range map[time.Duration]shown{300 * msec: {eventlog.DeadlineExceeded, 300 * msec, 1}, -time.Second: {eventlog.DeadlineExceeded, 0, 0}} {
			inStand(t, variant, policy, hang, func(s *stand) {
				ctx, cancel := context.WithDeadlineCause(s.t.Context(), time.Now().Add(own), ErrCallerDeadline)
				defer cancel()
				if got, err := s.call(ctx); got != want {
					t.Errorf("%s, own deadline %s: %+v, want %+v: %v", variant, own, got, want, err)
				}
			})
		}
	}
}

// A cancel in the backoff reaches the caller at once, except of a client that sleeps it out.
func TestCancelInBackoff(t *testing.T) {
	policy := Policy{Budget: 5000 * msec, MaxAttempts: 3, Backoff: []time.Duration{500 * msec}, RetryableStatuses: []int{503}}
	for variant, want := range map[string]shown{
		"budgeted":         {eventlog.Cancelled, 50 * msec, 1},
		"naive_sleep":      {eventlog.Cancelled, 500 * msec, 1},
		"swallowed_cancel": {eventlog.RetriesExhausted, 1000 * msec, 1},
	} {
		inStand(t, variant, policy, failing, func(s *stand) {
			ctx, cancel := context.WithCancelCause(s.t.Context())
			time.AfterFunc(50*msec, func() { cancel(ErrCancelled) })
			if got, err := s.call(ctx); got != want {
				t.Errorf("%s: %+v, want %+v: %v", variant, got, want, err)
			}
		})
	}
}

// A client that drops idle connections early does not meet those that the server is about to close.
func TestKeepIdle(t *testing.T) {
	for variant, want := range map[string]int64{"header_timeout": 1, "phase_timeouts": 2, "budgeted": 2} {
		inStand(t, variant, Policy{Budget: 300 * msec, MaxAttempts: 1}, answer, func(s *stand) {
			s.call(s.t.Context())
			time.Sleep(100 * msec)
			s.call(s.t.Context())
			if got := s.conns.Load(); got != want {
				t.Errorf("%s: %d connections, want %d", variant, got, want)
			}
		})
	}
}

// Asked first, a server that refuses is not sent the body, and one that reads it gets all of it.
func TestExpectContinue(t *testing.T) {
	policy := Policy{Budget: 1000 * msec, MaxAttempts: 1, Limits: Limits{SockRead: 200 * msec}}
	var got int64
	refuses := func(w http.ResponseWriter, r *http.Request) { w.WriteHeader(http.StatusExpectationFailed) }
	reads := func(w http.ResponseWriter, r *http.Request) {
		if !strings.EqualFold(r.Header.Get("Expect"), "100-continue") {
			t.Error("nobody asked")
		}
		got, _ = io.Copy(io.Discard, r.Body)
		answer(w, r)
	}
	for _, c := range []struct {
		upstream http.HandlerFunc
		want     eventlog.Outcome
		body     int64
	}{{refuses, eventlog.UnexpectedStatus, 0}, {reads, eventlog.Success, 5000}} {
		got = 0
		inStand(t, "phase_timeouts", policy, c.upstream, func(s *stand) {
			s.env.Method, s.env.BodyBytes = "POST", 5000
			if shown, err := s.call(s.t.Context()); shown.outcome != c.want || got != c.body {
				t.Errorf("%+v and %d bytes, want %s and %d: %v", shown, got, c.want, c.body, err)
			}
		})
	}
}

// A body is judged decoded; one that says gzip and is none is invalid data, and
// not asked for again.
func TestGzip(t *testing.T) {
	policy := Policy{Budget: 1000 * msec, MaxAttempts: 3, RetryableStatuses: []int{503}}
	zip := func(text string) string {
		var b bytes.Buffer
		w := gzip.NewWriter(&b)
		io.WriteString(w, text)
		w.Close()
		return b.String()
	}
	for body, want := range map[string]shown{
		zip("the marker"):      {eventlog.Success, 0, 1},
		zip("the marker")[:20]: {eventlog.InvalidData, 0, 1},
		"the plain marker":     {eventlog.InvalidData, 0, 1},
	} {
		for _, variant := range []string{"operation_deadline", "budgeted"} {
			encoded := func(w http.ResponseWriter, _ *http.Request) {
				w.Header().Set("Content-Encoding", "gzip")
				io.WriteString(w, body)
			}
			inStand(t, variant, policy, encoded, func(s *stand) {
				if got, err := s.call(s.t.Context()); got != want {
					t.Errorf("%s, %q: %+v, want %+v: %v", variant, body, got, want, err)
				}
			})
		}
	}
}
