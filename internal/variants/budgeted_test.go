package variants

import (
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/deadlinelab/deadlinelab/internal/eventlog"
)

// Whatever the upstream does, the budgeted client returns at its deadline or
// before, and makes no more attempts than it is allowed to.
func TestBudgetedNeverLate(t *testing.T) {
	outcomes := map[eventlog.Outcome]int{}
	for seed := range uint64(400) {
		rnd := rand.New(rand.NewPCG(seed, 7))
		policy := randomPolicy(rnd)
		inStand(t, "budgeted", policy, randomUpstream(rnd), func(s *stand) {
			s.env.Method = pick(rnd, "", "GET", "PUT", "POST")
			s.env.BodyBytes = pick(rnd, int64(0), 10, 200_000)
			if rnd.IntN(3) == 0 {
				s.slots.queue = make(chan struct{}, 1)
				s.slots.queue <- struct{}{}
				time.AfterFunc(upTo(rnd, 2*policy.Budget), s.slots.Release)
			}
			attempts := 0
			s.env.Transport = roundTripper(func(r *http.Request) (*http.Response, error) {
				attempts++
				return s.pool.RoundTrip(r)
			})
			got, err := s.call(s.t.Context())
			outcomes[got.outcome]++
			if got.after > policy.Budget {
				t.Errorf("seed %d: %s after %s with a budget of %s: %v", seed, got.outcome, got.after, policy.Budget, err)
			}
			if attempts > policy.MaxAttempts {
				t.Errorf("seed %d: %d attempts, %d allowed", seed, attempts, policy.MaxAttempts)
			}
		})
	}
	for _, o := range []eventlog.Outcome{eventlog.Success, eventlog.DeadlineExceeded, eventlog.RetriesExhausted, eventlog.UnexpectedStatus} {
		if outcomes[o] < 10 {
			t.Errorf("%s %d times: the upstreams are not varied enough: %v", o, outcomes[o], outcomes)
		}
	}
}

type roundTripper func(*http.Request) (*http.Response, error)

func (f roundTripper) RoundTrip(r *http.Request) (*http.Response, error) { return f(r) }

func randomPolicy(rnd *rand.Rand) Policy {
	p := Policy{Budget: time.Duration(1+rnd.IntN(1500)) * msec, MaxAttempts: 1 + rnd.IntN(4), RetryableStatuses: []int{503, 429},
		RetryableFailures: []eventlog.Outcome{eventlog.AttemptTimeout, eventlog.ConnectTimeout, eventlog.TransportError, eventlog.InvalidData}}
	for range rnd.IntN(3) {
		p.Backoff = append(p.Backoff, upTo(rnd, time.Second))
	}
	if rnd.IntN(2) == 0 {
		p.Limits.Total = upTo(rnd, time.Second)
	}
	return p
}

// randomUpstream gives each request its own script of delays, head and body.
func randomUpstream(rnd *rand.Rand) http.HandlerFunc {
	type script struct {
		delay, gap time.Duration
		status     int
		pieces     int
		header     string
		abort      bool
	}
	scripts := make([]script, 8)
	for i := range scripts {
		scripts[i] = script{upTo(rnd, 300*msec), upTo(rnd, 40*msec), pick(rnd, 200, 200, 404, 429, 503, 503), rnd.IntN(30),
			pick(rnd, "", "0", "1", "-1", "99999999999999999999", "Sat, 01 Jan 2000 00:00:01 GMT", "soon"), rnd.IntN(5) == 0}
	}
	requests := make(chan int, 1)
	requests <- 0
	return func(w http.ResponseWriter, r *http.Request) {
		n := <-requests
		requests <- n + 1
		sc := scripts[n%len(scripts)]
		io.Copy(io.Discard, r.Body)
		time.Sleep(sc.delay)
		if sc.header != "" {
			w.Header().Set("Retry-After", sc.header)
		}
		w.WriteHeader(sc.status)
		for range sc.pieces {
			w.Write([]byte(strings.Repeat("marker", 500)))
			w.(http.Flusher).Flush()
			time.Sleep(sc.gap)
		}
		if sc.abort {
			panic(http.ErrAbortHandler)
		}
	}
}

func upTo(rnd *rand.Rand, d time.Duration) time.Duration { return time.Duration(rnd.Int64N(int64(d))) }

func pick[T any](rnd *rand.Rand, list ...T) T { return list[rnd.IntN(len(list))] }

// A deadline that has passed on entry sends nothing, although a slot is free.
func TestBudgetedExpiredOnEntry(t *testing.T) {
	inStand(t, "budgeted", Policy{Budget: 300 * msec, MaxAttempts: 3}, answer, func(s *stand) {
		s.slots.queue = make(chan struct{}, 1)
		for range 1000 {
			env := s.env
			env.Start = time.Now().Add(-300 * msec)
			_, err := s.variant.Do(s.t.Context(), &env)
			if outcome, _ := OutcomeOf(err); outcome != eventlog.DeadlineExceeded || !errors.Is(err, ErrOperationDeadline) {
				t.Fatal(err)
			}
		}
		if n := s.requests.Load(); n != 0 || len(s.slots.queue) != 0 {
			t.Errorf("%d requests, %d slots taken", n, len(s.slots.queue))
		}
	})
}

// The error names phase, attempts, what is left, and why there was no more; the
// cause stays in it.
func TestBudgetedExplains(t *testing.T) {
	retry := Policy{Budget: 1000 * msec, MaxAttempts: 3, Backoff: []time.Duration{100 * msec}, RetryableStatuses: []int{503}}
	one := Policy{Budget: 1000 * msec, MaxAttempts: 1}
	for _, c := range []struct {
		policy   Policy
		method   string
		upstream http.HandlerFunc
		want     string
	}{
		{retry, "", retryAfter("5"), "retries_exhausted: reading the body, attempts 1, left 1s: retries_exhausted: unexpected_status: status 503; Retry-After of 5s leaves no room for an attempt of 100ms"},
		{withBudget(retry, 110), "", failing, "a pause of 100ms leaves no room for an attempt of 11ms"},
		{retry, "POST", failing, "POST without an Idempotency-Key is not sent twice"},
		{one, "", hang, "deadline_exceeded: waiting for the response head, attempts 1, left 0s: deadline_exceeded: operation deadline"},
		{one, "", stall, "deadline_exceeded: reading the body, attempts 1, left 0s: "},
	} {
		inStand(t, "budgeted", c.policy, c.upstream, func(s *stand) {
			s.env.Method = c.method
			_, err := s.call(s.t.Context())
			var told *BudgetError
			if !errors.As(err, &told) || !strings.Contains(fmt.Sprint(err), c.want) {
				t.Errorf("%v\nwant %s", err, c.want)
			}
		})
	}
}

// The share of an attempt: half of what is left after the next pause, unless
// no other attempt can follow.
func TestShare(t *testing.T) {
	env := func(attempts int, total time.Duration, backoff time.Duration) *Env {
		return &Env{Policy: Policy{MaxAttempts: attempts, Limits: Limits{Total: total}, Backoff: []time.Duration{backoff},
			RetryableFailures: []eventlog.Outcome{eventlog.AttemptTimeout}}}
	}
	unkeyed, final := env(3, 0, 0), env(3, 0, 0)
	unkeyed.Method = "POST"
	final.Policy.RetryableFailures = nil
	for _, c := range []struct {
		name string
		env  *Env
		n    int
		left time.Duration
		want time.Duration
	}{
		{"first of three", env(3, 0, 100*msec), 1, 1000 * msec, 450 * msec},
		{"cut to total_ms", env(3, 400*msec, 100*msec), 1, 1000 * msec, 400 * msec},
		{"the last one", env(3, 0, 100*msec), 3, 500 * msec, 500 * msec},
		{"no room for two", env(3, 0, 100*msec), 2, 250 * msec, 250 * msec},
		{"a pause that never fits", env(3, 0, 2000*msec), 1, 1000 * msec, 1000 * msec},
		{"not repeatable", unkeyed, 1, 1000 * msec, 1000 * msec},
		{"a timeout is final", final, 1, 1000 * msec, 1000 * msec},
	} {
		if got := Share(c.env, c.n, c.left, 100*msec); got != c.want {
			t.Errorf("%s: %s, want %s", c.name, got, c.want)
		}
	}
}
