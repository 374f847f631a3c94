package main

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/deadlinelab/deadlinelab/adapter"
)

// upstream answers /fine at once, /silent never, /transient with one 503
// first, /failing with 503 always, and /trickle with a body that does not end.
func upstream(requests *atomic.Int64) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		n := requests.Add(1)
		switch {
		case r.URL.Path == "/silent":
			<-r.Context().Done()
		case r.URL.Path == "/failing", r.URL.Path == "/transient" && n == 1:
			w.WriteHeader(http.StatusServiceUnavailable)
		case r.URL.Path == "/trickle":
			for r.Context().Err() == nil {
				io.WriteString(w, "x")
				w.(http.Flusher).Flush()
				time.Sleep(5 * time.Millisecond)
			}
		default:
			io.WriteString(w, "the answer")
		}
	}
}

// heard is what one call says of itself.
type heard struct {
	end      adapter.Event
	attempts int
	pauses   int
	fired    bool
}

func (h heard) String() string {
	return strings.TrimSuffix(fmt.Sprintf("%s %s", h.end.Outcome, h.end.Last), " ")
}

// measure makes one call through a client, as the bench would.
func measure(t *testing.T, k kind, op adapter.Operation) (h heard) {
	t.Helper()
	in, asks := io.Pipe()
	answers, out := io.Pipe()
	code := make(chan int, 1)
	stderr := &bytes.Buffer{}
	go func() {
		code <- run([]string{k.name}, in, out, stderr)
		out.Close()
	}()
	go func() {
		lines := json.NewEncoder(asks)
		lines.Encode(adapter.Hello{Type: adapter.TypeHello, Protocol: 1})
		lines.Encode(op)
	}()
	for lines := bufio.NewScanner(answers); lines.Scan(); {
		var e adapter.Event
		if err := json.Unmarshal(lines.Bytes(), &e); err != nil {
			t.Fatal(err)
		}
		switch e.Event {
		case adapter.AttemptStarted:
			h.attempts++
		case adapter.BackoffStarted:
			h.pauses++
		case adapter.DeadlineFired:
			h.fired = true
		case adapter.OperationFinished:
			h.end = e
			asks.Close()
		}
	}
	if got := <-code; got != 0 {
		t.Fatalf("exit %d: %s", got, stderr)
	}
	return h
}

// The limits of a wait that ends by a limit alone: long enough for a request to
// reach the server on a busy machine.
const attemptMs, deadlineMs = 150.0, 300.0

// never is a limit that no test reaches.
const never = 60_000.0

// operation has 2 attempts, 10 ms apart.
func operation(url string, budgetMs, total float64) adapter.Operation {
	return adapter.Operation{
		Type: adapter.TypeOperation, Op: "op", Client: "c", URL: url, Method: "GET", BudgetMs: budgetMs,
		Policy:  adapter.Policy{MaxAttempts: 2, BackoffMs: []float64{10}, RetryableStatuses: []int{503}, RetryableFailures: []string{adapter.AttemptTimeout}},
		Attempt: adapter.Limits{TotalMs: &total},
	}
}

// What each client does with the same five upstreams: outcome and requests.
// The budget is far beyond everything; what ends a silence is the attempt's limit.
func TestClients(t *testing.T) {
	type want struct {
		outcome  string
		requests int64
	}
	for name, wants := range map[string]map[string]want{
		"net_http_readme": {"/fine": {"success", 1}, "/silent": {"attempt_timeout", 1}, "/transient": {"unexpected_status", 1},
			"/failing": {"unexpected_status", 1}, "/trickle": {"attempt_timeout", 1}},
		"retryablehttp_readme": {"/fine": {"success", 1}, "/silent": {"retries_exhausted attempt_timeout", 2}, "/transient": {"success", 2},
			"/failing": {"retries_exhausted unexpected_status", 2}, "/trickle": {"attempt_timeout", 1}},
		"resty_readme": {"/fine": {"success", 1}, "/silent": {"retries_exhausted attempt_timeout", 2}, "/transient": {"success", 2},
			"/failing": {"retries_exhausted unexpected_status", 2}, "/trickle": {"retries_exhausted attempt_timeout", 2}},
		"failsafe_readme": {"/fine": {"success", 1}, "/silent": {"retries_exhausted attempt_timeout", 2}, "/transient": {"success", 2},
			"/failing": {"retries_exhausted unexpected_status", 2}},
		"backoff_readme": {"/fine": {"success", 1}, "/transient": {"success", 2}, "/failing": {"retries_exhausted unexpected_status", 2}},
		"fasthttp_readme": {"/fine": {"success", 1}, "/silent": {"attempt_timeout", 5}, "/transient": {"unexpected_status", 1},
			"/failing": {"unexpected_status", 1}, "/trickle": {"attempt_timeout", 5}},
		"net_http_d": {"/fine": {"success", 1}, "/silent": {"retries_exhausted attempt_timeout", 2}, "/transient": {"success", 2},
			"/failing": {"retries_exhausted unexpected_status", 2}, "/trickle": {"retries_exhausted attempt_timeout", 2}},
	} {
		k, ok := find(name)
		if !ok {
			t.Fatalf("there is no client %s", name)
		}
		for path, want := range wants {
			t.Run(name+path, func(t *testing.T) {
				t.Parallel()
				var requests atomic.Int64
				server := httptest.NewServer(upstream(&requests))
				defer server.Close()
				total := never
				if path == "/silent" || path == "/trickle" {
					total = attemptMs
				}
				got := measure(t, k, operation(server.URL+path, never, total))
				if got.String() != want.outcome || requests.Load() != want.requests {
					t.Errorf("%s after %d requests, expected %s after %d; %s: %s", got, requests.Load(), want.outcome, want.requests, got.end.ErrorType, got.end.Error)
				}
				if int64(got.attempts) != want.requests {
					t.Errorf("%d attempts reported, expected %d", got.attempts, want.requests)
				}
				if path == "/fine" && got.end.Body != "the answer" {
					t.Errorf("the body is %q", got.end.Body)
				}
			})
		}
	}
}

// Every bounded client ends at the deadline, whatever waits: each attempt may
// take as long as it likes here. One that ended otherwise would end late or never.
func TestBoundedClients(t *testing.T) {
	seen := 0
	for _, k := range known {
		if !strings.HasSuffix(k.name, "_bounded") && k.name != "net_http_d" {
			continue
		}
		seen++
		for _, path := range []string{"/silent", "/trickle"} {
			t.Run(k.name+path, func(t *testing.T) {
				t.Parallel()
				var requests atomic.Int64
				server := httptest.NewServer(upstream(&requests))
				defer server.Close()
				if got := measure(t, k, operation(server.URL+path, deadlineMs, never)); got.String() != adapter.DeadlineExceeded || requests.Load() != 1 {
					t.Errorf("%s after %d requests, expected deadline_exceeded after 1; %s: %s", got, requests.Load(), got.end.ErrorType, got.end.Error)
				}
			})
		}
		t.Run(k.name+"/pause after a timeout", func(t *testing.T) {
			t.Parallel()
			var requests atomic.Int64
			server := httptest.NewServer(upstream(&requests))
			defer server.Close()
			op := operation(server.URL+"/silent", deadlineMs, attemptMs)
			op.Policy.BackoffMs = []float64{never}
			if got := measure(t, k, op); got.String() != adapter.DeadlineExceeded || requests.Load() != 1 {
				t.Errorf("%s after %d requests, expected deadline_exceeded after 1; %s: %s", got, requests.Load(), got.end.ErrorType, got.end.Error)
			}
		})
		t.Run(k.name+"/pause", func(t *testing.T) {
			t.Parallel()
			var requests atomic.Int64
			server := httptest.NewServer(upstream(&requests))
			defer server.Close()
			op := operation(server.URL+"/failing", deadlineMs, never)
			op.Policy.BackoffMs = []float64{never}
			if got := measure(t, k, op); got.String() != adapter.DeadlineExceeded || !got.fired || got.pauses != 1 || requests.Load() != 1 {
				t.Errorf("%+v after %d requests, expected deadline_exceeded after 1", got, requests.Load())
			}
		})
	}
	if seen != 7 {
		t.Errorf("%d bounded clients, expected 7", seen)
	}
}

// One call in a process of its own: its body, or its outcome as the exit status.
func TestOnce(t *testing.T) {
	var requests atomic.Int64
	server := httptest.NewServer(upstream(&requests))
	defer server.Close()
	for _, c := range []struct {
		path, settings string
		code           int
		stdout, stderr string
	}{
		{"/fine", "", 0, "the answer", ""},
		{"/failing", "max_attempts=2 backoff_ms=1 retry_status=503", 23, "", "retries_exhausted unexpected_status"},
		{"/silent", "budget_ms=300", 20, "", "deadline_exceeded"},
		{"/fine", "colour=3", 64, "", `error: "colour": expected budget_ms,`},
		{"/fine", "total_ms=soon", 64, "", `error: "total_ms=soon": expected a name and a number`},
	} {
		var out, errs bytes.Buffer
		args := append([]string{"net_http_d", "--once", server.URL + c.path}, strings.Fields(c.settings)...)
		if code := run(args, nil, &out, &errs); code != c.code || out.String() != c.stdout || !strings.HasPrefix(errs.String(), c.stderr) {
			t.Errorf("%s %s: exit %d, %q, %q", c.path, c.settings, code, &out, &errs)
		}
	}
}

func TestList(t *testing.T) {
	var out, errs bytes.Buffer
	if code := run([]string{"--list"}, nil, &out, &errs); code != 0 {
		t.Fatalf("exit %d: %s", code, &errs)
	}
	lines := strings.Split(strings.TrimSpace(out.String()), "\n")
	if len(lines) != len(known) {
		t.Fatalf("%d lines, expected %d", len(lines), len(known))
	}
	for i, line := range lines {
		if fields := strings.Split(line, "\t"); len(fields) != 3 || fields[0] != known[i].name || fields[2] == "unknown" {
			t.Errorf("the line %q: expected name, program and version", line)
		}
	}
}

func TestUsage(t *testing.T) {
	for _, args := range [][]string{nil, {"nobody"}, {"a", "b"}} {
		var errs bytes.Buffer
		if code := run(args, nil, io.Discard, &errs); code != 64 || !strings.HasPrefix(errs.String(), "error: ") {
			t.Errorf("%q: exit %d, %s", args, code, &errs)
		}
	}
}

// net_http_d has the limits that net/http lacks: silence between two reads, and
// the wait for a connection with the pool's queue.
func TestLimits(t *testing.T) {
	server := httptest.NewServer(upstream(new(atomic.Int64)))
	defer server.Close()
	k, _ := find("net_http_d")
	limit := attemptMs
	silent := operation(server.URL+"/silent", never, never)
	silent.Attempt.SockReadMs = &limit
	if got := measure(t, k, silent); got.String() != "retries_exhausted attempt_timeout" {
		t.Errorf("silence: %s, expected retries_exhausted attempt_timeout", got)
	}
	steady := operation(server.URL+"/trickle", deadlineMs, never)
	steady.Attempt.SockReadMs = &limit
	if got := measure(t, k, steady); got.String() != adapter.DeadlineExceeded || got.attempts != 1 {
		t.Errorf("a steady trickle: %s after %d attempts, expected deadline_exceeded after 1", got, got.attempts)
	}
}

func TestConnectLimit(t *testing.T) {
	began, limit := make(chan struct{}, 1), attemptMs
	server := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		began <- struct{}{}
		<-r.Context().Done()
	}))
	defer server.Close()
	pool := &limited{base: &http.Transport{DialContext: dialWithin(nil), MaxConnsPerHost: 1}, limits: adapter.Limits{ConnectMs: &limit}}
	holding, release := context.WithCancel(t.Context())
	defer release()
	go fetch(holding, &http.Client{Transport: pool}, operation(server.URL, never, never))
	<-began
	r := fetch(t.Context(), &http.Client{Transport: pool}, operation(server.URL, never, never))
	if outcome(r) != adapter.ConnectTimeout || !strings.Contains(r.Err.Error(), "connect_ms") {
		t.Errorf("%s: %v, expected connect_timeout by connect_ms", outcome(r), r.Err)
	}
}
