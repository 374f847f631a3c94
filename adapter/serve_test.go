package adapter_test

import (
	"context"
	"errors"
	"io"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/deadlinelab/deadlinelab/adapter"
)

func TestHelloAndSuccess(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := start(t, call(func(context.Context, adapter.Operation, *adapter.Session) adapter.Result {
			time.Sleep(20 * time.Millisecond)
			return adapter.Result{Status: 200, Body: []byte(strings.Repeat("x", 5000) + "end")}
		}))
		b.operation("op", nil)
		time.Sleep(time.Second)
		if err := b.end(); err != nil {
			t.Error(err)
		}
		b.want("op", "0 operation_started", "20 operation_finished success")
		last := b.events[len(b.events)-1]
		if last.Bytes != 5003 || len(last.Body) != adapter.BodyKept || !strings.HasSuffix(last.Body, "end") || last.Status != 200 {
			t.Errorf("the end says %d bytes, %d of them kept, status %d", last.Bytes, len(last.Body), last.Status)
		}
		if h := b.hello; h.Type != adapter.TypeHello || h.Protocol != 1 || !strings.HasPrefix(h.Language, "Go ") || h.Clock == "" {
			t.Errorf("hello: %+v", h)
		}
	})
}

// The deadline covers the wait for a slot that a holder has; the slot is free
// again at the instant that the release names.
func TestHoldSlotAndDeadline(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := start(t, call(func(ctx context.Context, op adapter.Operation, s *adapter.Session) adapter.Result {
			ctx, cancel := s.WithDeadline(ctx)
			defer cancel()
			if err := s.Acquire(ctx); err != nil {
				return adapter.Result{Err: err}
			}
			defer s.Release()
			return adapter.Result{Status: 200}
		}))
		oneSlot := func(o *adapter.Operation) { o.Slots = 1 }
		b.say(adapter.Ask{Type: adapter.TypeHoldSlot, Op: "holder", Client: "c1", Slots: 1})
		b.operation("in vain", oneSlot)
		time.Sleep(500 * time.Millisecond)
		b.operation("patient", oneSlot)
		time.Sleep(600 * time.Millisecond)
		b.say(adapter.Ask{Type: adapter.TypeRelease, Op: "holder"})
		time.Sleep(time.Second)
		if err := b.end(); err != nil {
			t.Error(err)
		}
		b.want("holder", "0 operation_started", "0 admission_wait_started", "0 admission_acquired", "1100 admission_released", "1100 operation_finished success")
		b.want("in vain", "0 operation_started", "0 admission_wait_started", "1000 deadline_fired", "1000 cancellation_observed", "1000 operation_finished deadline_exceeded")
		b.want("patient", "500 operation_started", "500 admission_wait_started", "1100 admission_acquired", "1100 admission_released", "1100 operation_finished success")
	})
}

func TestCancelInPause(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := start(t, call(func(ctx context.Context, op adapter.Operation, s *adapter.Session) adapter.Result {
			a := s.StartAttempt()
			a.HeadersReceived(503)
			a.Finished(0)
			if err := s.Pause(ctx, 600*time.Millisecond); err != nil {
				return adapter.Result{Status: 503, Err: err}
			}
			s.StartAttempt().Finished(200)
			return adapter.Result{Status: 200}
		}))
		b.operation("whole", nil)
		b.operation("cut", nil)
		time.Sleep(50 * time.Millisecond)
		b.say(adapter.Ask{Type: adapter.TypeCancel, Op: "cut"})
		b.say(adapter.Ask{Type: adapter.TypeCancel, Op: "unknown"})
		b.say(adapter.Ask{Type: "of_a_later_version", Op: "unknown"})
		time.Sleep(time.Second)
		if err := b.end(); err != nil {
			t.Error(err)
		}
		b.want("cut", "0 operation_started", "0 attempt_started", "0 headers_received", "0 attempt_finished", "0 backoff_started",
			"50 cancellation_observed", "50 operation_finished cancelled")
		b.want("whole", "0 operation_started", "0 attempt_started", "0 headers_received", "0 attempt_finished", "0 backoff_started",
			"600 backoff_finished", "600 attempt_started", "600 attempt_finished", "600 operation_finished success")
	})
}

func TestCallerDeadline(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := start(t, call(func(ctx context.Context, op adapter.Operation, s *adapter.Session) adapter.Result {
			<-ctx.Done()
			return adapter.Result{Err: s.Observed(ctx)}
		}))
		early := 300.0
		b.operation("op", func(o *adapter.Operation) { o.CallerDeadlineMs = &early })
		time.Sleep(time.Second)
		if err := b.end(); err != nil {
			t.Error(err)
		}
		b.want("op", "0 operation_started", "300 deadline_fired", "300 cancellation_observed", "300 operation_finished deadline_exceeded")
	})
}

// What a call leaves open is closed for it, and reports after its end go nowhere.
func TestLeftOpen(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := start(t, call(func(ctx context.Context, op adapter.Operation, s *adapter.Session) adapter.Result {
			if err := s.Acquire(ctx); err != nil {
				return adapter.Result{Err: err}
			}
			a := s.StartAttempt()
			time.AfterFunc(time.Millisecond, func() { a.Finished(200) })
			return adapter.Result{Status: 503}
		}))
		oneSlot := func(o *adapter.Operation) { o.Slots = 1 }
		b.operation("one", oneSlot)
		b.operation("two", oneSlot)
		time.Sleep(time.Second)
		if err := b.end(); err != nil {
			t.Error(err)
		}
		for _, op := range []string{"one", "two"} {
			b.want(op, "0 operation_started", "0 admission_wait_started", "0 admission_acquired", "0 attempt_started", "0 attempt_failed",
				"0 admission_released", "0 operation_finished unexpected_status")
		}
	})
}

func TestPanic(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := start(t, call(func(_ context.Context, op adapter.Operation, _ *adapter.Session) adapter.Result {
			var none []int
			return adapter.Result{Status: none[len(op.Op)]}
		}))
		b.operation("op", nil)
		if err := b.end(); err != nil {
			t.Error(err)
		}
		b.want("op", "0 operation_started", "0 operation_finished client_error")
		if text := b.events[1].Error; !strings.Contains(text, "panic at serve_test.go:") || !strings.Contains(text, "index out of range") {
			t.Errorf("the error says %q", text)
		}
	})
}

type counted struct {
	adapter.Func
	closed *atomic.Int64
}

func (c counted) Close() { c.closed.Add(1) }

// Operations with one client id share a client; close waits for its calls.
func TestClients(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var built, closed atomic.Int64
		b := start(t, func(adapter.Operation) adapter.Client {
			built.Add(1)
			return counted{func(context.Context, adapter.Operation, *adapter.Session) adapter.Result {
				time.Sleep(100 * time.Millisecond)
				return adapter.Result{Status: 204}
			}, &closed}
		})
		b.operation("one", nil)
		b.operation("two", nil)
		b.operation("three", func(o *adapter.Operation) { o.Client = "c2" })
		b.say(adapter.Ask{Type: adapter.TypeClose, Client: "c1"})
		if built.Load() != 2 || closed.Load() != 0 {
			t.Errorf("while the calls run: %d clients built, %d closed, expected 2 and 0", built.Load(), closed.Load())
		}
		time.Sleep(100 * time.Millisecond)
		synctest.Wait()
		if n := closed.Load(); n != 1 {
			t.Errorf("after the calls of c1: %d clients closed, expected 1", n)
		}
		if err := b.end(); err != nil {
			t.Error(err)
		}
		if n := closed.Load(); n != 2 {
			t.Errorf("after the shutdown: %d clients closed, expected 2", n)
		}
	})
}

func TestShutdownEndsCalls(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := start(t, call(func(ctx context.Context, _ adapter.Operation, _ *adapter.Session) adapter.Result {
			<-ctx.Done()
			if !errors.Is(context.Cause(ctx), adapter.ErrShutdown) {
				t.Errorf("the cause is %v", context.Cause(ctx))
			}
			return adapter.Result{Err: context.Cause(ctx)}
		}))
		b.operation("op", nil)
		b.asks.Close() // the end of standard input is a shutdown
		if err := <-b.served; err != nil {
			t.Error(err)
		}
		<-b.heard
		b.want("op", "0 operation_started", "0 operation_finished cancelled")
	})
}

func TestCallThatDoesNotEnd(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := start(t, call(func(context.Context, adapter.Operation, *adapter.Session) adapter.Result {
			time.Sleep(time.Minute)
			return adapter.Result{}
		}))
		b.operation("op", nil)
		err := b.end()
		if err == nil || err.Error() != "1 operations did not end within 1s of the shutdown: op" {
			t.Errorf("the error is %v", err)
		}
		if took := time.Since(b.began); took != time.Second {
			t.Errorf("the shutdown took %s, expected 1s", took)
		}
		time.Sleep(time.Minute)
	})
}

func TestWrongLines(t *testing.T) {
	hello := `{"type":"hello","protocol":1}` + "\n"
	operation := `{"type":"operation","op":"a","client":"c","url":"http://x/"}` + "\n"
	for _, c := range []struct{ name, lines, want string }{
		{"garbage", "nonsense\n", "standard input, line 1: invalid character"},
		{"no hello", operation, "expected one hello, as the first line"},
		{"two hellos", hello + hello, "expected one hello, as the first line"},
		{"hello of nothing", `{"type":"hello"}` + "\n", "protocol: 0, expected at least 1"},
		{"no type", hello + `{"op":"a"}` + "\n", `line 2: no type: expected hello, operation,`},
		{"no url", hello + `{"type":"operation","op":"a","client":"c"}` + "\n", "line 2: url is missing"},
		{"no slots", hello + `{"type":"hold_slot","op":"a","client":"c"}` + "\n", "line 2: slots: 0, expected at least 1"},
		{"twice", hello + operation + operation, `operation "a" is already under way`},
		{"endless", hello + strings.Repeat("x", 2<<20), "token too long"},
	} {
		t.Run(c.name, func(t *testing.T) {
			block := call(func(ctx context.Context, _ adapter.Operation, _ *adapter.Session) adapter.Result {
				<-ctx.Done()
				return adapter.Result{Err: ctx.Err()}
			})
			err := adapter.Serve(t.Context(), strings.NewReader(c.lines), io.Discard, adapter.Hello{Name: "test", Version: "1"}, block)
			if err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("the error is %v\nexpected %s", err, c.want)
			}
		})
	}
}

func TestWrongHello(t *testing.T) {
	for want, h := range map[string]adapter.Hello{
		`Name "", Version ""`:      {},
		`capability "telepathy"`:   {Name: "x", Version: "1", Capabilities: []string{"telepathy"}},
		`setting "s" has 201 char`: {Name: "x", Version: "1", Settings: map[string]string{"s": strings.Repeat("x", 201)}},
	} {
		err := adapter.Serve(t.Context(), strings.NewReader(""), io.Discard, h, nil)
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("the error is %v, expected %s", err, want)
		}
	}
}

type brokenPipe struct{}

func (brokenPipe) Write([]byte) (int, error) { return 0, io.ErrClosedPipe }

func TestBenchThatIsGone(t *testing.T) {
	in, asks := io.Pipe()
	defer asks.Close()
	go asks.Write([]byte(`{"type":"hello","protocol":1}` + "\n"))
	err := adapter.Serve(t.Context(), in, brokenPipe{}, adapter.Hello{Name: "x", Version: "1"}, nil)
	if !errors.Is(err, io.ErrClosedPipe) {
		t.Errorf("the error is %v", err)
	}
}
