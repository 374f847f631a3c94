package extclient

import (
	"context"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/deadlinelab/deadlinelab/adapter"
	"github.com/deadlinelab/deadlinelab/internal/eventlog"
	"github.com/deadlinelab/deadlinelab/internal/variants"
)

// A call is told in the client's own times, and is asked for in full.
func TestSessionCall(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := greeted(t, nil)
		call := newCall("a")
		call.Policy = variants.Policy{Budget: time.Second, MaxAttempts: 3, Backoff: []time.Duration{100 * time.Millisecond},
			RetryableStatuses: []int{503}, RetryableFailures: []eventlog.Outcome{eventlog.AttemptTimeout}, Limits: variants.Limits{Total: 400 * time.Millisecond}}
		call.PoolLimit, call.Slots = 1, 2
		began := time.Now()
		done := call.start(t.Context(), f.session)
		asked := f.ask()
		time.Sleep(10 * time.Millisecond)
		f.event("a", adapter.OperationStarted, nil)
		f.event("a", adapter.AttemptStarted, map[string]any{"attempt": 1})
		time.Sleep(20 * time.Millisecond)
		f.event("a", adapter.AttemptFinished, map[string]any{"attempt": 1, "status": 200})
		f.event("a", adapter.OperationFinished, map[string]any{"outcome": "success", "status": 200, "bytes": 9, "body": "…marker-a…"})
		<-done

		if asked["url"] != call.URL || asked["method"] != "GET" || asked["budget_ms"] != 1000.0 || asked["slots"] != 2.0 {
			t.Errorf("asked for %v", asked)
		}
		if attempt := asked["attempt"].(map[string]any); attempt["total_ms"] != 400.0 || attempt["connect_ms"] != nil {
			t.Errorf("limits %v", attempt)
		}
		if len(call.t0) != 1 || call.t0[0].Sub(began) != 10*time.Millisecond {
			t.Errorf("t0 %v, began %v", call.t0, began)
		}
		if got := call.kinds(); got != "attempt_started attempt_finished " {
			t.Errorf("heard %s", got)
		}
		if first := call.events[0]; first.RemainingMs != 1000 || f.clk.At(first.AtNs) != call.t0[0] {
			t.Errorf("first event %+v", first)
		}
		if e := call.ending; e.Outcome != eventlog.Success || e.Status != 200 || e.Bytes != 9 || e.Broken != "" || e.At.Sub(began) != 30*time.Millisecond {
			t.Errorf("ending %+v", e)
		}
		f.session.stop()
	})
}

// A success whose body is another operation's is none.
func TestSessionMarker(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := greeted(t, nil)
		call := newCall("a")
		done := call.start(t.Context(), f.session)
		f.ask()
		f.event("a", adapter.OperationStarted, nil)
		f.event("a", adapter.OperationFinished, map[string]any{"outcome": "success", "body": "marker-b\x1b"})
		<-done
		if e := call.ending; e.Outcome != eventlog.InvalidData || e.Broken != "" || !strings.Contains(e.Error, `"marker-b\x1b", expected the operation's marker marker-a`) {
			t.Errorf("ending %+v", e)
		}
		f.session.stop()
	})
}

// What a client does not claim is not asked of it.
func TestSessionAsksForNothingUnclaimed(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := greeted(t, map[string]any{"capabilities": []string{}})
		call := newCall("a")
		call.PoolLimit, call.Slots, call.Method, call.BodyBytes, call.IdempotencyKey, call.CallerDeadline = 1, 1, "POST", 5, "key", new(time.Second)
		ctx, cancel := context.WithCancelCause(t.Context())
		done := call.start(ctx, f.session)
		asked := f.ask()
		for _, key := range []string{"pool", "slots", "body_bytes", "idempotency_key", "caller_deadline_ms"} {
			if asked[key] != nil {
				t.Errorf("asked for %s %v", key, asked[key])
			}
		}
		if asked["method"] != "GET" {
			t.Errorf("method %v", asked["method"])
		}
		f.event("a", adapter.OperationStarted, nil)
		cancel(variants.ErrCap)
		<-done
		f.session.Forget(call.Client)
		if next := f.ask(); next["type"] != "close" {
			t.Errorf("a client without cancel is sent %v", next)
		}
		f.session.stop()
	})
}

// A client without the host's clock is told by when its lines arrive.
func TestSessionWithoutClock(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := greeted(t, map[string]any{"clock": "none"})
		call := newCall("a")
		began := time.Now()
		done := call.start(t.Context(), f.session)
		f.ask()
		time.Sleep(time.Millisecond)
		f.say(map[string]any{"type": "event", "op": "a", "event": "operation_started"})
		time.Sleep(time.Millisecond)
		f.say(map[string]any{"type": "event", "op": "a", "event": "operation_finished", "outcome": "refused"})
		<-done
		if call.t0[0].Sub(began) != time.Millisecond || call.ending.At.Sub(began) != 2*time.Millisecond || call.ending.Outcome != eventlog.Refused {
			t.Errorf("t0 %v, ending %+v", call.t0, call.ending)
		}
		f.session.stop()
	})
}

// Slots are held until the instant that the bench names.
func TestSessionHoldSlots(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := greeted(t, nil)
		until := make(chan time.Time, 1)
		hold := newCall("h")
		hold.HoldSlots, hold.Slots, hold.Until = true, 2, until
		done := hold.start(t.Context(), f.session)
		if asked := f.ask(); asked["type"] != "hold_slot" || asked["slots"] != 2.0 || asked["client"] != "c-h" {
			t.Errorf("asked for %v", asked)
		}
		f.event("h", adapter.OperationStarted, nil)
		f.event("h", adapter.AdmissionAcquired, nil)
		synctest.Wait()
		if hold.holding != 1 {
			t.Errorf("Holding was called %d times", hold.holding)
		}
		at := time.Now().Add(time.Second)
		until <- at
		if asked := f.ask(); asked["type"] != "release" || int64(asked["at_ns"].(float64)) != f.clk.Ns(at) {
			t.Errorf("asked for %v, expected a release at %d", asked, f.clk.Ns(at))
		}
		time.Sleep(time.Second)
		f.event("h", adapter.AdmissionReleased, nil)
		f.event("h", adapter.OperationFinished, map[string]any{"outcome": "success"})
		<-done
		if hold.ending.At != at || hold.ending.Outcome != eventlog.Success || hold.kinds() != "admission_acquired admission_released " {
			t.Errorf("ending %+v after %s", hold.ending, hold.kinds())
		}
		f.session.stop()
	})
}

// Twenty calls at once over one pair of pipes, ended in the opposite order.
func TestSessionManyAtOnce(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := greeted(t, nil)
		var calls []*heard
		var ends []chan struct{}
		for op := range strings.SplitSeq("abcdefghijklmnopqrst", "") {
			calls = append(calls, newCall(op))
			ends = append(ends, calls[len(calls)-1].start(t.Context(), f.session))
		}
		for range calls {
			f.event(f.ask()["op"].(string), adapter.OperationStarted, nil)
		}
		for i := len(calls) - 1; i >= 0; i-- {
			time.Sleep(time.Millisecond)
			f.event(calls[i].Op, adapter.OperationFinished, map[string]any{"outcome": "success", "body": calls[i].Marker})
		}
		for i, call := range calls {
			<-ends[i]
			if call.ending.Outcome != eventlog.Success || call.ending.At.Sub(call.t0[0]) != time.Duration(len(calls)-i)*time.Millisecond {
				t.Errorf("%s: %+v", call.Op, call.ending)
			}
		}
		f.session.stop()
	})
}

// stop says shutdown and closes the input; a client that stays is killed after 2 s.
func TestSessionStop(t *testing.T) {
	for _, obeys := range []bool{true, false} {
		synctest.Test(t, func(t *testing.T) {
			f := greeted(t, nil)
			last, atEnd, read := "", false, make(chan struct{})
			go func() {
				defer close(read)
				for m := f.ask(); m != nil; m = f.ask() {
					last = m["type"].(string)
				}
				if atEnd = true; obeys {
					f.exit()
				}
			}()
			began := time.Now()
			f.session.stop()
			f.session.stop()
			took := time.Since(began)
			<-read
			want := map[bool]time.Duration{true: 0, false: endWithin}[obeys]
			if last != "shutdown" || !atEnd || took != want || len(f.notes) != 0 {
				t.Errorf("obeys %v: last message %q, end %v, after %s, notes %q", obeys, last, atEnd, took, f.notes)
			}
			if e := f.session.Call(t.Context(), newCall("late").Call); e.Outcome != eventlog.ClientError {
				t.Errorf("a call after stop: %+v", e)
			}
		})
	}
}
