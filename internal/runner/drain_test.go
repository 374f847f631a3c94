package runner_test

import (
	"context"
	"errors"
	"io"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/deadlinelab/deadlinelab/internal/control"
	"github.com/deadlinelab/deadlinelab/internal/runner"
	"github.com/deadlinelab/deadlinelab/internal/scenario"
)

// manyChunks sends 2000 pieces of a body, each of which is an event, in 2 s.
func manyChunks(t *testing.T) *scenario.Scenario {
	t.Helper()
	s, err := scenario.Parse("many_chunks.yaml", []byte(`name: many_chunks
question: How many events can follow the last operation?
lesson: As many as there are.
contrast: [single_attempt, operation_deadline]
operation: {budget_ms: 1000}
scenario: {type: slow_body, chunks: 2000, chunk_interval_ms: 1}
variants: [single_attempt, operation_deadline]
expect:
  single_attempt: {outcome: attempt_timeout}
  operation_deadline: {outcome: deadline_exceeded}
`))
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// A bench that is slower than the events reads on while they come.
func TestSlowlyReadEventsAreAllRead(t *testing.T) {
	inLab(t, func(l *lab) {
		l.readSlowly(func(n int) time.Duration { return 150 * time.Millisecond })
		began := time.Now()
		l.mustRun(l.plan(runner.Options{Repeats: 1, Operations: 30, NoWarmup: true}, "D", manyChunks(t)))
		if took := time.Since(began); took < 10*time.Second {
			t.Errorf("all was read after %s: the test shows nothing", took)
		}
	})
}

// Events that do not come although labserver answers are no lost labserver.
func TestEventsThatDoNotCome(t *testing.T) {
	inLab(t, func(l *lab) {
		l.readSlowly(func(n int) time.Duration {
			if n == 100 {
				return time.Hour
			}
			return 0
		})
		p := l.plan(runner.Options{Repeats: 1, Operations: 90, NoWarmup: true}, "D", manyChunks(t))
		result, err := l.run(context.Background(), p)
		var lost *runner.ServerLost
		if err == nil || errors.As(err, &lost) || result == nil || len(result.Tallies) != 1 {
			t.Fatalf("%+v, %v", result, err)
		}
		if !strings.Contains(err.Error(), "labserver answers, but its event stream brought nothing for 5s") {
			t.Error(err)
		}
	})
}

// readSlowly lets the bench wait before read n, from 1, of an event stream.
func (l *lab) readSlowly(wait func(n int) time.Duration) {
	base, err := l.server.Start("127.0.0.1:0")
	if err != nil {
		l.t.Fatal(err)
	}
	l.control = control.NewClient(base, "token", &http.Client{Transport: slowStreams{l.http, wait}})
}

type slowStreams struct {
	http.RoundTripper
	wait func(n int) time.Duration
}

func (s slowStreams) RoundTrip(r *http.Request) (*http.Response, error) {
	res, err := s.RoundTripper.RoundTrip(r)
	if err == nil && strings.HasSuffix(r.URL.Path, "/stream") {
		res.Body = &slowBody{ReadCloser: res.Body, ctx: r.Context(), wait: s.wait}
	}
	return res, err
}

type slowBody struct {
	io.ReadCloser
	ctx  context.Context
	wait func(n int) time.Duration
	n    int
}

func (b *slowBody) Read(p []byte) (int, error) {
	b.n++
	select {
	case <-time.After(b.wait(b.n)):
		return b.ReadCloser.Read(p)
	case <-b.ctx.Done():
		return 0, b.ctx.Err()
	}
}
