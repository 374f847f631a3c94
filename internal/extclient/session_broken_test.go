package extclient

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/deadlinelab/deadlinelab/adapter"
	"github.com/deadlinelab/deadlinelab/internal/eventlog"
	"github.com/deadlinelab/deadlinelab/internal/variants"
)

const us = time.Microsecond

// started is an operation a that has begun.
func started(f *fake) { f.event("a", adapter.OperationStarted, nil) }

// ended is an operation a that has ended.
func ended(f *fake) {
	started(f)
	f.event("a", adapter.OperationFinished, map[string]any{"outcome": "refused"})
}

func at(f *fake, offset time.Duration) map[string]any {
	return map[string]any{"t_ns": f.clk.Now() + int64(offset)}
}

// breaches is what a client must not write once it was asked for operation a,
// and what is then said about it.
var breaches = map[string]struct {
	breach func(f *fake)
	want   string
}{
	"garbage":           {func(f *fake) { f.raw("hello \x1b[31mworld\n") }, `found "hello \x1b[31mworld", expected one JSON object on each line`},
	"empty line":        {func(f *fake) { f.raw("\n") }, `found "", expected one JSON object`},
	"an array":          {func(f *fake) { f.raw("[1]\n") }, `found "[1]", expected one JSON object`},
	"two objects":       {func(f *fake) { f.raw("{} {}\n") }, `found "{} {}", expected one JSON object`},
	"NUL":               {func(f *fake) { f.raw("{\"type\":\"event\"\x00}\n") }, `found "{\"type\":\"event\"\x00}", expected one JSON object`},
	"not UTF-8":         {func(f *fake) { f.raw("{\"type\":\"\xff\"}\n") }, `found "{\"type\":\"\xff\"}", expected UTF-8`},
	"duplicate key":     {func(f *fake) { f.raw(`{"type":"event","op":"a","op":"b"}` + "\n") }, `found the key "op" twice in "{\"type\"`},
	"endless line":      {func(f *fake) { f.raw(strings.Repeat("x", 2*maxLine)) }, `expected at most 65536 bytes before the end of a line`},
	"no type":           {func(f *fake) { f.raw("{\"op\":\"a\"}\n") }, `found no "type", expected the type of the message`},
	"type of a number":  {func(f *fake) { f.raw("{\"type\":1}\n") }, `found "type": 1, expected a text`},
	"second hello":      {func(f *fake) { f.say(capable) }, `found another one, expected one hello`},
	"no op":             {func(f *fake) { f.say(map[string]any{"type": "event", "event": "operation_started"}) }, `found no "op"`},
	"other op":          {func(f *fake) { f.event("b", adapter.OperationStarted, nil) }, `found operation_started of the operation "b", which nobody asked for`},
	"other kind":        {func(f *fake) { f.event("a", "operation_startet", nil) }, `the event "operation_startet", expected an event of the protocol; did you mean "operation_started"?`},
	"not started":       {func(f *fake) { f.event("a", adapter.AdmissionAcquired, nil) }, `found admission_acquired of a, expected operation_started as its first event`},
	"started twice":     {func(f *fake) { started(f); started(f) }, `expected operation_started as its first event, once`},
	"finished twice":    {func(f *fake) { ended(f); f.event("a", adapter.OperationFinished, map[string]any{"outcome": "success"}) }, `found operation_finished of a, which has ended`},
	"late word":         {func(f *fake) { ended(f); f.event("a", adapter.DeadlineFired, nil) }, `found deadline_fired of a, which has ended`},
	"no outcome":        {func(f *fake) { started(f); f.event("a", adapter.OperationFinished, nil) }, `found no "outcome", expected one in every operation_finished`},
	"wrong outcome":     {finish("outcome", "sucess"), `found "outcome": "sucess", expected one of success,`},
	"the bench's word":  {finish("outcome", "cap_reached"), `found "outcome": "cap_reached", expected one of success,`},
	"last of a success": {finish("last", "transport_error"), `found "last": "transport_error", expected none but beside retries_exhausted`},
	"status":            {finish("status", 1000), `found "status": 1000, expected a whole number from 100 to 999`},
	"bytes":             {finish("bytes", -1), `expected a whole number from 0`},
	"body":              {finish("body", strings.Repeat("x", 4097)), `expected at most its last 4096 bytes`},
	"attempt 0":         {attempt("attempt", 0), `found "attempt": 0, expected a whole number from 1`},
	"half an attempt":   {attempt("attempt", 1.5), `found "attempt": 1.5, expected a whole number from 1`},
	"no attempt":        {attempt("attempt", nil), `found no "attempt", expected one in every attempt_started`},
	"no time":           {attempt("t_ns", nil), `found no "t_ns", expected nanoseconds of CLOCK_MONOTONIC`},
	"no pause":          {func(f *fake) { started(f); f.event("a", adapter.BackoffStarted, nil) }, `found no "planned_ms"`},
	"negative pause":    {func(f *fake) { started(f); f.event("a", adapter.BackoffStarted, map[string]any{"planned_ms": -1}) }, `expected milliseconds`},
	"wrong limit": {func(f *fake) {
		started(f)
		f.event("a", adapter.AttemptTimedOut, map[string]any{"attempt": 1, "limit": "total"})
	}, `expected one of total_ms, connect_ms`},
	"before it was asked": {func(f *fake) { f.event("a", adapter.OperationStarted, at(f, -201*us)) }, `the t_ns of operation_started of a 201µs before the bench asked`},
	"future":              {func(f *fake) { f.event("a", adapter.OperationStarted, at(f, 201*us)) }, `the t_ns of operation_started of a 201µs after its line was read`},
	"backwards": {func(f *fake) {
		time.Sleep(time.Millisecond)
		started(f)
		f.event("a", adapter.DeadlineFired, at(f, -201*us))
	}, `the t_ns of deadline_fired of a 201µs before the event before it`},
	"flood of events": {func(f *fake) {
		started(f)
		for range mostEvents {
			f.event("a", adapter.BackoffFinished, nil)
		}
	}, `found a flood: more than 10000 events of a`},
	"flood of bytes": {func(f *fake) {
		f.session.mu.Lock()
		f.session.bytes = mostBytes - maxLine // what it wrote before
		f.session.mu.Unlock()
		line := `{"type":"x` + strings.Repeat("x", maxLine-20) + "\"}\n"
		for range 3 {
			f.raw(line)
		}
	}, `found a flood: more than 67125248 bytes`},
	"exit":      {func(f *fake) { started(f); f.exit() }, `it ended with exit status 3, expected it to run until shutdown`},
	"torn line": {func(f *fake) { f.raw(`{"type":`); f.exit() }, `found "{\"type\":" at the end of its output`},
	"mute":      {func(f *fake) { f.out.Close() }, `it closed its standard output and runs on`},
	"closed input": {func(f *fake) {
		started(f)
		f.stdin.Close()
		f.session.send(adapter.Ask{Type: adapter.TypeClose, Client: "another"})
	}, `it closed its standard input and runs on, expected it to read until shutdown`},
	"client_error": {finish("outcome", "client_error"), `client fake says of itself that it broke`},
}

func finish(key string, value any) func(f *fake) {
	return func(f *fake) {
		started(f)
		f.event("a", adapter.OperationFinished, map[string]any{"outcome": "success", key: value})
	}
}

func attempt(key string, value any) func(f *fake) {
	return func(f *fake) {
		started(f)
		f.event("a", adapter.AttemptStarted, map[string]any{"attempt": 1, key: value})
	}
}

// Every breach ends the call that is in flight, with what was found and what was
// expected, and what the client wrote on its standard error. It ends every later
// call at once, unasked, and is told once.
func TestSessionBreaches(t *testing.T) {
	harmless := []string{"finished twice", "late word", "client_error"} // for call a, which had ended or says so itself
	for name, b := range breaches {
		synctest.Test(t, func(t *testing.T) {
			f := greeted(t, nil)
			call := newCall("a")
			done := call.start(t.Context(), f.session)
			f.ask()
			b.breach(f)
			<-done
			synctest.Wait()
			said := call.ending.Broken
			if slices.Contains(harmless[:2], name) {
				said = fmt.Sprint(f.session.whyBroken())
			}
			if !strings.Contains(said, b.want) || !strings.Contains(said, "client fake") {
				t.Errorf("%s: said %q, want %q in it", name, said, b.want)
			}
			if len(call.t0) != 1 {
				t.Errorf("%s: Began was called %d times", name, len(call.t0))
			}
			if name != "client_error" {
				deadAfter(t, name, f)
			}
			f.session.stop()
		})
	}
}

func deadAfter(t *testing.T, name string, f *fake) {
	t.Helper()
	if why := fmt.Sprint(f.session.whyBroken()); !strings.HasSuffix(why, `; its standard error ends with "what went wrong"`) {
		t.Errorf("%s: %s", name, why)
	}
	began, later := time.Now(), newCall("later")
	ending := f.session.Call(t.Context(), later.Call)
	if ending.Outcome != eventlog.ClientError || !strings.HasPrefix(ending.Broken, "it was not asked any more: client fake: ") || time.Since(began) != 0 || len(later.t0) != 1 {
		t.Errorf("%s: a later call ended with %+v after %s", name, ending, time.Since(began))
	}
	if len(f.notes) != 1 {
		t.Errorf("%s: notes %q", name, f.notes)
	}
}

// Half the skew is forgiven, and set right: no instant is before the one before
// it, nor after it was heard of.
func TestSessionSkew(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := greeted(t, nil)
		call, asked := newCall("a"), time.Now()
		done := call.start(t.Context(), f.session)
		f.ask()
		f.event("a", adapter.OperationStarted, at(f, -200*us))
		f.event("a", adapter.DeadlineFired, at(f, 200*us))
		time.Sleep(time.Millisecond)
		f.event("a", adapter.OperationFinished, map[string]any{"outcome": "refused"})
		<-done
		if call.t0[0] != asked || f.clk.At(call.events[0].AtNs) != asked || call.ending.At.Sub(asked) != time.Millisecond {
			t.Errorf("t0 %v, %v, ending %+v, asked at %v", call.t0, call.events, call.ending, asked)
		}
		f.session.stop()
	})
}

// Silence is a breach: 10 s without hello, 5 s without a beginning, 5 s without
// reading.
func TestSessionSilence(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f, began := newFake(t), time.Now()
		go f.ask()
		err := f.session.exchangeHello(t.Context(), "test")
		if err == nil || !strings.Contains(err.Error(), "no hello on its standard output within 10s") || time.Since(began) != 10*time.Second {
			t.Errorf("after %s: %v", time.Since(began), err)
		}
		f.session.stop()
	})
	synctest.Test(t, func(t *testing.T) {
		f, began := greeted(t, nil), time.Now()
		call := newCall("a")
		done := call.start(t.Context(), f.session)
		f.ask()
		<-done
		if !strings.Contains(call.ending.Broken, "no operation_started for a within 5s") || time.Since(began) != 5*time.Second {
			t.Errorf("after %s: %+v", time.Since(began), call.ending)
		}
		f.session.stop()
	})
	synctest.Test(t, func(t *testing.T) {
		f, began := greeted(t, nil), time.Now()
		call := newCall("a")
		done := call.start(t.Context(), f.session)
		f.ask()
		started(f)
		f.session.send(adapter.Ask{Type: adapter.TypeClose, Client: "another"})
		<-done
		if !strings.Contains(call.ending.Broken, "it has not read its standard input for 5s") || time.Since(began) != 5*time.Second {
			t.Errorf("after %s: %+v", time.Since(began), call.ending)
		}
		f.session.stop()
	})
	synctest.Test(t, func(t *testing.T) {
		f, began := greeted(t, nil), time.Now()
		for range mostWaiting + 2 {
			f.session.send(adapter.Ask{Type: adapter.TypeClose, Client: "another"})
		}
		if why := fmt.Sprint(f.session.whyBroken()); !strings.Contains(why, "4096 lines wait to be read") || time.Since(began) != 0 {
			t.Errorf("after %s: %s", time.Since(began), why)
		}
		f.session.stop()
	})
}

// A start that is given up ends at once.
func TestSessionGreetingGivenUp(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ctx, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		f := newFake(t)
		go f.ask()
		if err := f.session.exchangeHello(ctx, "test"); err != context.DeadlineExceeded {
			t.Error(err)
		}
		f.session.stop()
	})
}

// The hard cap is a measurement: the client is told to cancel, and has 1 s.
func TestSessionCap(t *testing.T) {
	for _, returns := range []bool{true, false} {
		synctest.Test(t, func(t *testing.T) {
			f, began := greeted(t, nil), time.Now()
			ctx, cancel := context.WithTimeoutCause(t.Context(), 8*time.Second, variants.ErrCap)
			defer cancel()
			call := newCall("a")
			done := call.start(ctx, f.session)
			f.ask()
			started(f)
			if asked := f.ask(); asked["type"] != "cancel" || asked["op"] != "a" || time.Since(began) != 8*time.Second {
				t.Errorf("after %s: %v", time.Since(began), asked)
			}
			last, lasted := eventlog.Outcome(""), 9*time.Second
			if returns {
				time.Sleep(100 * time.Millisecond)
				f.event("a", adapter.OperationFinished, map[string]any{"outcome": "cancelled"})
				last, lasted = eventlog.Cancelled, 8100*time.Millisecond
			}
			<-done
			if e := call.ending; e.Outcome != eventlog.CapReached || e.Last != last || e.Broken != "" || time.Since(began) != lasted {
				t.Errorf("after %s: %+v", time.Since(began), e)
			}
			f.event("a", adapter.OperationFinished, map[string]any{"outcome": "success"})
			synctest.Wait()
			if why := f.session.whyBroken(); why != nil || len(call.events) != 0 {
				t.Errorf("a late answer counts: %v, %v", why, call.events)
			}
			f.session.stop()
		})
	}
}

// A cancel is the caller's: the client is asked, and ends the call by itself;
// what it says afterwards is ignored. One that does not is left when it is closed.
func TestSessionCancel(t *testing.T) {
	for _, returns := range []bool{true, false} {
		synctest.Test(t, func(t *testing.T) {
			f := greeted(t, nil)
			ctx, cancel := context.WithCancelCause(t.Context())
			call := newCall("a")
			done := call.start(ctx, f.session)
			f.ask()
			started(f)
			cancel(variants.ErrCancelled)
			if asked := f.ask(); asked["type"] != "cancel" {
				t.Errorf("asked for %v", asked)
			}
			time.Sleep(30 * time.Second)
			want := eventlog.CapReached
			if returns {
				want = eventlog.Cancelled
				f.event("a", adapter.CancellationObserved, nil)
				f.event("a", adapter.OperationFinished, map[string]any{"outcome": "cancelled"})
			} else {
				go func() { _, _ = f.ask(), f.ask() }()
				f.session.Forget(call.Client)
			}
			<-done
			f.event("a", adapter.AdmissionReleased, nil)
			synctest.Wait()
			if call.ending.Outcome != want || f.session.whyBroken() != nil {
				t.Errorf("ending %+v, %v", call.ending, f.session.whyBroken())
			}
			f.session.stop()
		})
	}
}

// A run that is given up waits for nothing.
func TestSessionGivenUp(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := greeted(t, nil)
		ctx, cancel := context.WithCancel(t.Context())
		call, began := newCall("a"), time.Now()
		done := call.start(ctx, f.session)
		f.ask()
		cancel()
		<-done
		if call.ending.Broken != "" || time.Since(began) != 0 || len(call.t0) != 1 {
			t.Errorf("%+v after %s", call.ending, time.Since(began))
		}
		f.session.stop()
	})
}
