package runner

import (
	"context"
	"errors"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/deadlinelab/deadlinelab/internal/eventlog"
	"github.com/deadlinelab/deadlinelab/internal/scenario"
	"github.com/deadlinelab/deadlinelab/internal/variants"
)

// small is a policy of 100 ms: the hard cap comes at 5300 ms.
func small() *scenario.Scenario {
	return &scenario.Scenario{Operation: scenario.Operation{BudgetMs: 100, MaxAttempts: 1}}
}

func (st *stand) finish() eventlog.Event {
	st.t.Helper()
	events := st.recorder.Read(1, 0)
	if len(events) == 0 || events[len(events)-1].Kind != eventlog.OperationFinished {
		st.t.Fatalf("no operation_finished at the end: %s", st.events())
	}
	return events[len(events)-1]
}

// How an operation ends, whatever its variant does.
func TestOperationEnds(t *testing.T) {
	success := variants.Response{Status: 200, Body: []byte("with the marker")}
	for _, c := range []struct {
		name    string
		do      variants.Do
		outcome eventlog.Outcome
		at      time.Duration
		errType string
	}{
		{"success", func(context.Context, *variants.Env) (variants.Response, error) { return success, nil }, eventlog.Success, 0, ""},
		{"a claimed success without the marker", func(context.Context, *variants.Env) (variants.Response, error) {
			return variants.Response{Status: 200, Body: []byte("something else")}, nil
		}, eventlog.InvalidData, 0, "*variants.Error"},
		{"a claimed success that is a 503", func(context.Context, *variants.Env) (variants.Response, error) {
			return variants.Response{Status: 503, Body: []byte("marker")}, nil
		}, eventlog.UnexpectedStatus, 0, "*variants.StatusError"},
		{"a panic", func(context.Context, *variants.Env) (variants.Response, error) { panic("oops") }, eventlog.ClientError, 0, "*runner.PanicError"},
		{"an ended goroutine", func(context.Context, *variants.Env) (variants.Response, error) {
			runtime.Goexit()
			return success, nil
		}, eventlog.ClientError, 0, "*variants.Error"},
		{"the cap", func(ctx context.Context, _ *variants.Env) (variants.Response, error) {
			<-ctx.Done()
			return variants.Response{}, ctx.Err()
		}, eventlog.CapReached, 5300 * msec, "*errors.errorString"},
		{"a success after the cap", func(ctx context.Context, _ *variants.Env) (variants.Response, error) {
			time.Sleep(5800 * msec)
			return success, nil
		}, eventlog.CapReached, 5800 * msec, ""},
		{"ignores the cap", func(context.Context, *variants.Env) (variants.Response, error) {
			time.Sleep(time.Hour)
			return success, nil
		}, eventlog.CapReached, 6300 * msec, "*variants.Error"},
	} {
		t.Run(c.name, func(t *testing.T) {
			inStand(t, answerMarker, small(), func(st *stand) {
				st.op.do = c.do
				st.op.perform(st.t.Context())
				if e := st.finish(); e.Outcome != c.outcome || e.ErrorType != c.errType || st.elapsed() != c.at {
					st.t.Errorf("%s (%s: %s) after %s, want %s (%s) after %s", e.Outcome, e.ErrorType, e.Error, st.elapsed(), c.outcome, c.errType, c.at)
				}
				<-st.op.ended
				if n := strings.Count(st.events(), "operation_finished"); n != 1 {
					st.t.Errorf("%d ends", n)
				}
			})
		})
	}
}

// The cap closes the connections of an operation that does not react to its
// cancel, and what it does afterwards is not recorded.
func TestCapClosesConnections(t *testing.T) {
	inStand(t, hangForever, small(), func(st *stand) {
		st.op.do = func(_ context.Context, env *variants.Env) (variants.Response, error) {
			_, err := st.get(context.Background(), variants.Limits{})
			if err == nil {
				st.t.Error("the request survived the cap")
			}
			_, again := st.get(context.Background(), variants.Limits{})
			if again == nil {
				st.t.Error("a request after the cap was answered")
			}
			return variants.Response{}, err
		}
		st.op.perform(st.t.Context())
		if e := st.finish(); e.Outcome != eventlog.CapReached || e.Last != eventlog.TransportError || st.elapsed() != 5300*msec {
			st.t.Errorf("%+v after %s", e, st.elapsed())
		}
	})
}

// A variant that swallows the cancel goes on until the cap.
func TestSwallowedCancel(t *testing.T) {
	inStand(t, answerMarker, small(), func(st *stand) {
		st.op.do = func(context.Context, *variants.Env) (variants.Response, error) {
			time.Sleep(700 * msec)
			return variants.Response{Status: 200, Body: []byte("marker")}, nil
		}
		time.AfterFunc(50*msec, func() { st.op.requestCancel(time.Now()) })
		st.op.perform(st.t.Context())
		if e := st.finish(); e.Outcome != eventlog.Success || st.elapsed() != 700*msec {
			st.t.Errorf("%s after %s", e.Outcome, st.elapsed())
		}
	})
}

// A cancel after the end is none.
func TestCancelAfterTheEnd(t *testing.T) {
	inStand(t, answerMarker, small(), func(st *stand) {
		st.op.do = func(context.Context, *variants.Env) (variants.Response, error) {
			return variants.Response{}, errors.New("x")
		}
		st.op.perform(st.t.Context())
		st.op.requestCancel(time.Now())
		if st.op.stopped.Load() || strings.Contains(st.events(), "external_cancel_requested") {
			st.t.Errorf("%s", st.events())
		}
	})
}

// Starts are at least 1 ms apart, those of one cancel scenario 5 ms.
func TestPace(t *testing.T) {
	healthy, cancel := load(t, "healthy"), load(t, "cancel_in_http")
	p := &pace{last: map[string]time.Time{}}
	var last, lastCancel time.Time
	for i, it := range newPlan(t, Options{Repeats: 1, Operations: 50}, "BD", healthy, cancel).Items {
		s := healthy
		if it.Scenario == cancel.Name {
			s = cancel
		}
		at := p.next(s, it)
		if i > 0 && p.at.Sub(last) < startGap {
			t.Fatalf("%s starts %s after the one before it", it.Op, p.at.Sub(last))
		}
		if s == cancel {
			if !lastCancel.IsZero() && at.Sub(lastCancel) < cancelGap {
				t.Fatalf("%s starts %s after the last cancel", it.Op, at.Sub(lastCancel))
			}
			lastCancel = at
		}
		last = p.at
	}
}
