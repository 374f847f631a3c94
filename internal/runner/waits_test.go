package runner

import (
	"context"
	"errors"
	"io"
	"net/http"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/deadlinelab/deadlinelab/internal/eventlog"
	"github.com/deadlinelab/deadlinelab/internal/instrument"
	"github.com/deadlinelab/deadlinelab/internal/scenario"
	"github.com/deadlinelab/deadlinelab/internal/variants"
)

// A slot is not given to a context that has ended, even when it is free.
func TestSlotsEndedContext(t *testing.T) {
	inStand(t, answerMarker, &scenario.Scenario{Slots: 1}, func(st *stand) {
		ctx, cancel := context.WithCancelCause(st.t.Context())
		cancel(variants.ErrCancelled)
		for range 100 {
			if err := st.op.slots.Acquire(ctx); !errors.Is(err, context.Canceled) {
				t.Fatalf("%v", err)
			}
		}
		if n := len(st.client.slots); n != 0 {
			t.Errorf("%d slots taken", n)
		}
		if strings.Contains(st.events(), "admission_acquired") {
			t.Errorf("%s", st.events())
		}
	})
}

// Without admission nothing is recorded, and the deadline is still looked at.
func TestNoAdmission(t *testing.T) {
	inStand(t, answerMarker, &scenario.Scenario{}, func(st *stand) {
		if err := st.op.slots.Acquire(st.t.Context()); err != nil {
			t.Fatal(err)
		}
		st.op.slots.Release()
		if st.events() != "" {
			t.Errorf("%s", st.events())
		}
		ctx, cancel := context.WithDeadlineCause(st.t.Context(), time.Now(), variants.ErrOperationDeadline)
		defer cancel()
		if err := st.op.slots.Acquire(ctx); !errors.Is(err, variants.ErrOperationDeadline) {
			t.Errorf("%v", err)
		}
	})
}

// Slots go to whoever waited longest.
func TestSlotsFirstComeFirstServed(t *testing.T) {
	inStand(t, answerMarker, &scenario.Scenario{Slots: 1}, func(st *stand) {
		st.op.slots.Acquire(st.t.Context())
		order := make(chan int, 10)
		for i := range 10 {
			go func() {
				st.op.slots.Acquire(st.t.Context())
				order <- i
				st.op.slots.Release()
			}()
			synctest.Wait()
		}
		st.op.slots.Release()
		for want := range 10 {
			if got := <-order; got != want {
				t.Errorf("slot %d went to %d", want, got)
			}
		}
	})
}

// Only a pause slept to its end has finished.
func TestPause(t *testing.T) {
	inStand(t, answerMarker, &scenario.Scenario{}, func(st *stand) {
		st.op.transport.Deadline = st.began.Add(time.Second)
		p := &instrument.Pause{Journal: st.op.journal, Stop: st.op.stop, Transport: st.op.transport}
		if err := p.Pause(st.t.Context(), 0); err != nil || st.events() != "" {
			t.Errorf("a pause of nothing: %v, %s", err, st.events())
		}
		if err := p.Pause(st.t.Context(), 300*msec); err != nil || st.elapsed() != 300*msec {
			t.Errorf("%v after %s", err, st.elapsed())
		}
		ctx, cancel := context.WithTimeoutCause(st.t.Context(), 50*msec, variants.ErrOperationDeadline)
		defer cancel()
		if err := p.Pause(ctx, 300*msec); !errors.Is(err, variants.ErrOperationDeadline) || st.elapsed() != 350*msec {
			t.Errorf("%v after %s", err, st.elapsed())
		}
		want := "backoff_started backoff_finished backoff_started deadline_fired cancellation_observed:operation_deadline"
		if st.events() != want {
			t.Errorf("%s", st.events())
		}
		if e := st.recorder.Read(1, 1)[0]; e.PlannedMs != 300 || e.RemainingMs != 1000 {
			t.Errorf("%+v", e)
		}
	})
}

// A deadline that has passed on entry sends nothing although a slot is free:
// 1000 of 1000 for every variant with a deadline at t0.
func TestExpiredOnEntrySendsNothing(t *testing.T) {
	for _, label := range []string{"D", "E", "F", "budgeted", "refusing", "retry_budget", "careless_retry"} {
		v, _ := variants.Find(label)
		s := &scenario.Scenario{Slots: 1, Operation: scenario.Operation{BudgetMs: 1000, MaxAttempts: 3, BackoffMs: []float64{100}}}
		inStand(t, answerMarker, s, func(st *stand) {
			for range 1000 {
				env := st.op.env()
				env.Start = time.Now().Add(-time.Second)
				if _, err := v.Do(st.t.Context(), env); outcomeOf(err) != eventlog.DeadlineExceeded {
					t.Fatalf("%s: %v", label, err)
				}
			}
			if n := st.requests.Load(); n != 0 {
				t.Errorf("%s sent %d requests", label, n)
			}
			if strings.Contains(st.events(), "attempt_started") {
				t.Errorf("%s started an attempt", label)
			}
			if n := len(st.client.slots); n != 0 {
				t.Errorf("%s left %d slots taken", label, n)
			}
		})
	}
}

func outcomeOf(err error) eventlog.Outcome {
	outcome, _ := variants.OutcomeOf(err)
	return outcome
}

// An external cancel reaches the caller of every variant as context.Canceled,
// except where that is the very mistake the variant is there to show.
func TestCancelIdentity(t *testing.T) {
	for _, v := range variants.All() {
		if v.Placement.UnboundLoop {
			continue
		}
		s := &scenario.Scenario{Operation: scenario.Operation{BudgetMs: 1000, MaxAttempts: 3, BackoffMs: []float64{100}}}
		inStand(t, hangForever, s, func(st *stand) {
			ctx, cancel := context.WithCancelCause(st.t.Context())
			time.AfterFunc(100*msec, func() { cancel(variants.ErrCancelled) })
			env := st.op.env()
			env.Start = time.Now()
			if _, err := v.Do(ctx, env); !errors.Is(err, context.Canceled) || outcomeOf(err) != eventlog.Cancelled || st.elapsed() != 100*msec {
				t.Errorf("%s: %v after %s", v.Name, err, st.elapsed())
			}
		})
	}
}

// An answer that is complete when the deadline has passed is no success.
func TestNeverALateSuccess(t *testing.T) {
	for _, label := range []string{"C", "D", "E", "budgeted", "refusing", "retry_budget", "careless_retry"} {
		v, _ := variants.Find(label)
		s := &scenario.Scenario{Operation: scenario.Operation{BudgetMs: 1000, MaxAttempts: 1}}
		inStand(t, answerMarker, s, func(st *stand) {
			env := st.op.env()
			env.Start = time.Now()
			env.Transport = roundTripper(func(req *http.Request) (*http.Response, error) {
				time.Sleep(1001 * msec) // ignores its context
				return &http.Response{StatusCode: 200, Body: io.NopCloser(strings.NewReader("marker")), Request: req}, nil
			})
			if _, err := v.Do(st.t.Context(), env); outcomeOf(err) != eventlog.DeadlineExceeded {
				t.Errorf("%s: %v", label, err)
			}
		})
	}
}

type roundTripper func(*http.Request) (*http.Response, error)

func (f roundTripper) RoundTrip(r *http.Request) (*http.Response, error) { return f(r) }
