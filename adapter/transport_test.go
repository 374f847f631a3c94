package adapter_test

import (
	"context"
	"errors"
	"io"
	"net/http"
	"testing"
	"testing/synctest"
	"time"

	"github.com/deadlinelab/deadlinelab/adapter"
	"github.com/deadlinelab/deadlinelab/internal/memnet"
)

// upstream answers /slow after 800 ms, /trickle in two pieces 600 ms apart,
// /away with a redirect to /fine, and /fine at once.
func upstream(w http.ResponseWriter, r *http.Request) {
	switch r.URL.Path {
	case "/slow":
		time.Sleep(800 * time.Millisecond)
	case "/trickle":
		io.WriteString(w, "first ")
		w.(http.Flusher).Flush()
		time.Sleep(600 * time.Millisecond)
	case "/away":
		time.Sleep(10 * time.Millisecond)
		http.Redirect(w, r, "/fine", http.StatusFound)
	case "/echo":
		io.WriteString(w, r.Header.Get("Deadlinelab-Attempt"))
	}
	io.WriteString(w, "ok")
}

func get(ctx context.Context, c *http.Client, url string) adapter.Result {
	req, err := http.NewRequestWithContext(ctx, "GET", url, nil)
	if err != nil {
		return adapter.Result{Err: err}
	}
	resp, err := c.Do(req)
	if err != nil {
		return adapter.Result{Err: err}
	}
	defer resp.Body.Close()
	body, err := io.ReadAll(resp.Body)
	return adapter.Result{Status: resp.StatusCode, Body: body, Err: err}
}

func TestTransport(t *testing.T) {
	plain := func(ctx context.Context, c *http.Client, _ *adapter.Session, url string) adapter.Result {
		return get(ctx, c, url)
	}
	whole := func(ctx context.Context, c *http.Client, s *adapter.Session, url string) adapter.Result {
		ctx, cancel := s.WithDeadline(ctx)
		defer cancel()
		return get(ctx, c, url)
	}
	silence := func(ctx context.Context, c *http.Client, s *adapter.Session, url string) adapter.Result {
		ctx, cancel := context.WithTimeoutCause(ctx, 200*time.Millisecond, &adapter.LimitError{Limit: "sock_read_ms"})
		defer cancel()
		return get(ctx, c, url)
	}
	for _, c := range []struct {
		name, path string
		timeout    time.Duration // http.Client.Timeout
		call       func(context.Context, *http.Client, *adapter.Session, string) adapter.Result
		errorType  string
		want       []string
	}{
		{"success", "/fine", 0, plain, "", []string{"0 attempt_started", "0 headers_received", "0 body_finished", "0 attempt_finished", "0 operation_finished success"}},
		{"redirect", "/away", 0, plain, "", []string{"0 attempt_started", "10 headers_received", "10 headers_received", "10 body_finished", "10 attempt_finished", "10 operation_finished success"}},
		{"client timeout, head", "/slow", 400 * time.Millisecond, plain, "*url.Error: context.DeadlineExceeded",
			[]string{"0 attempt_started", "400 attempt_timed_out total_ms", "400 operation_finished attempt_timeout"}},
		{"client timeout, body", "/trickle", 400 * time.Millisecond, plain, "*http.timeoutError: context.DeadlineExceeded",
			[]string{"0 attempt_started", "0 headers_received", "400 attempt_timed_out total_ms", "400 operation_finished attempt_timeout"}},
		{"deadline, body", "/trickle", 0, whole, "context.DeadlineExceeded",
			[]string{"0 attempt_started", "0 headers_received", "500 deadline_fired", "500 cancellation_observed", "500 attempt_cancelled", "500 operation_finished deadline_exceeded"}},
		{"a limit with a name", "/slow", 0, silence, "*url.Error: context.DeadlineExceeded",
			[]string{"0 attempt_started", "200 attempt_timed_out sock_read_ms", "200 operation_finished attempt_timeout"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				server, pool := serveMemory(t)
				client := &http.Client{Transport: adapter.NewTransport(pool), Timeout: c.timeout}
				b := start(t, call(func(ctx context.Context, op adapter.Operation, s *adapter.Session) adapter.Result {
					return c.call(ctx, client, s, op.URL)
				}))
				b.operation("op", func(o *adapter.Operation) { o.URL, o.BudgetMs = server+c.path, 500 })
				time.Sleep(2 * time.Second)
				if err := b.end(); err != nil {
					t.Error(err)
				}
				b.want("op", append([]string{"0 operation_started"}, c.want...)...)
				if got := b.events[len(b.events)-1].ErrorType; got != c.errorType {
					t.Errorf("error type %q, expected %q", got, c.errorType)
				}
			})
		})
	}
}

// serveMemory is the upstream on a network in memory, and a pool that reaches it.
func serveMemory(t *testing.T) (url string, pool *http.Transport) {
	network := memnet.New()
	listener, err := network.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	server := &http.Server{Handler: http.HandlerFunc(upstream)}
	go server.Serve(listener)
	pool = &http.Transport{DialContext: network.DialContext}
	t.Cleanup(func() {
		pool.CloseIdleConnections()
		server.Close()
		time.Sleep(time.Second)
	})
	return "http://" + listener.Addr().String(), pool
}

// The server is told which attempt a request belongs to, inside a call alone.
func TestAttemptHeader(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		server, pool := serveMemory(t)
		client := &http.Client{Transport: adapter.NewTransport(pool)}
		b := start(t, call(func(ctx context.Context, op adapter.Operation, s *adapter.Session) adapter.Result {
			get(ctx, client, op.URL)
			return get(ctx, client, op.URL)
		}))
		b.operation("op", func(o *adapter.Operation) { o.URL = server + "/echo" })
		if err := b.end(); err != nil {
			t.Error(err)
		}
		if got := b.events[len(b.events)-1].Body; got != "2ok" {
			t.Errorf("the second attempt was announced as %q", got)
		}
		if outside := get(t.Context(), client, server+"/echo"); string(outside.Body) != "ok" {
			t.Errorf("outside a call a request was announced as an attempt: %q", outside.Body)
		}
	})
}

// Without the capability nothing is said of attempts: the bench would refuse it.
func TestAttemptsNotClaimed(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		hello := adapter.Hello{Name: "test", Version: "1", Capabilities: []string{adapter.CanCancel}}
		b := startWith(t, hello, call(func(ctx context.Context, op adapter.Operation, s *adapter.Session) adapter.Result {
			a := s.StartAttempt()
			a.HeadersReceived(503)
			a.Failed(errors.New("x"))
			return adapter.Result{Status: 503}
		}))
		b.operation("op", nil)
		if err := b.end(); err != nil {
			t.Error(err)
		}
		b.want("op", "0 operation_started", "0 operation_finished unexpected_status")
	})
}
