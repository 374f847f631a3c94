package runner

import (
	"context"
	"errors"
	"io"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/deadlinelab/deadlinelab/internal/eventlog"
	"github.com/deadlinelab/deadlinelab/internal/instrument"
	"github.com/deadlinelab/deadlinelab/internal/scenario"
	"github.com/deadlinelab/deadlinelab/internal/variants"
)

// A success shows every phase once, in order.
func TestTransportEvents(t *testing.T) {
	inStand(t, answerMarker, &scenario.Scenario{}, func(st *stand) {
		if body, err := st.get(st.t.Context(), variants.Limits{}); err != nil || body != "marker" {
			t.Fatalf("%q, %v", body, err)
		}
		want := "attempt_started connection_wait_started connection_acquired request_written headers_received body_finished attempt_finished"
		if got := st.events(); got != want {
			t.Errorf("%s", got)
		}
	})
}

// Redirect hops are one attempt with one end.
func TestRedirectIsOneAttempt(t *testing.T) {
	hops := func(w http.ResponseWriter, r *http.Request) {
		time.Sleep(150 * msec)
		if len(r.URL.Path) < 4 {
			http.Redirect(w, r, r.URL.Path+"x", http.StatusFound)
			return
		}
		answerMarker(w, r)
	}
	inStand(t, hops, &scenario.Scenario{}, func(st *stand) {
		if body, err := st.get(st.t.Context(), variants.Limits{Connect: 100 * msec}); err != nil || body != "marker" || st.elapsed() != 600*msec {
			t.Errorf("%q, %v after %s", body, err, st.elapsed())
		}
		events := st.events()
		if strings.Count(events, "attempt_started") != 1 || strings.Count(events, "attempt_finished") != 1 || strings.Count(events, "headers_received") != 4 {
			t.Errorf("%s", events)
		}
	})
}

// A redirect that is not followed has its end when the operation settles.
func TestRedirectNotFollowed(t *testing.T) {
	forever := func(w http.ResponseWriter, r *http.Request) { http.Redirect(w, r, "/again", http.StatusFound) }
	inStand(t, forever, &scenario.Scenario{}, func(st *stand) {
		if _, err := st.get(st.t.Context(), variants.Limits{}); err == nil {
			t.Error("ten redirects were no error")
		}
		st.op.transport.Finalize()
		if events := st.events(); strings.Count(events, "attempt_started") != 1 || !strings.HasSuffix(events, "attempt_finished") {
			t.Errorf("%s", events)
		}
	})
}

// A body that nobody closes is a failed attempt.
func TestUnclosedBody(t *testing.T) {
	inStand(t, answerMarker, &scenario.Scenario{}, func(st *stand) {
		req, _ := http.NewRequestWithContext(st.t.Context(), http.MethodGet, st.op.target, nil)
		resp, err := st.op.transport.RoundTrip(req)
		if err != nil {
			t.Fatal(err)
		}
		st.op.transport.Finalize()
		if !strings.HasSuffix(st.events(), "attempt_failed") {
			t.Errorf("%s", st.events())
		}
		resp.Body.Close()
		if !strings.HasSuffix(st.events(), "attempt_failed") {
			t.Errorf("a second end: %s", st.events())
		}
	})
}

// A body closed before its end ends the attempt without body_finished.
func TestBodyClosedEarly(t *testing.T) {
	inStand(t, chunks(5, 75*msec, 0), &scenario.Scenario{}, func(st *stand) {
		req, _ := http.NewRequestWithContext(st.t.Context(), http.MethodGet, st.op.target, nil)
		resp, err := st.op.transport.RoundTrip(req)
		if err != nil {
			t.Fatal(err)
		}
		resp.Body.Close()
		if !strings.HasSuffix(st.events(), "headers_received attempt_finished") {
			t.Errorf("%s", st.events())
		}
	})
}

// A connection that breaks is a failed attempt with its Go type.
func TestTruncatedBody(t *testing.T) {
	truncated := func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Length", "100")
		io.WriteString(w, "marker")
		w.(http.Flusher).Flush()
		panic(http.ErrAbortHandler)
	}
	inStand(t, truncated, &scenario.Scenario{}, func(st *stand) {
		_, err := st.get(st.t.Context(), variants.Limits{})
		if outcome, _ := variants.OutcomeOf(err); outcome != eventlog.TransportError || !errors.Is(err, io.ErrUnexpectedEOF) {
			t.Errorf("%v is %s", err, outcome)
		}
		if !strings.HasSuffix(st.events(), "headers_received attempt_failed") {
			t.Errorf("%s", st.events())
		}
	})
}

// The server learns the attempt's number from a header.
func TestAttemptHeader(t *testing.T) {
	var seen []string
	note := func(w http.ResponseWriter, r *http.Request) {
		seen = append(seen, r.Header.Get(instrument.AttemptHeader))
		answerMarker(w, r)
	}
	inStand(t, note, &scenario.Scenario{}, func(st *stand) {
		for range 3 {
			if _, err := st.get(st.t.Context(), variants.Limits{}); err != nil {
				t.Fatal(err)
			}
		}
		if got := strings.Join(seen, " "); got != "1 2 3" {
			t.Errorf("attempts %s", got)
		}
	})
}

// Causes become events: the deadline before the attempt's end before the
// observation, each once.
func TestStopOrder(t *testing.T) {
	for _, c := range []struct {
		cause error
		want  string
	}{
		{variants.ErrOperationDeadline, "deadline_fired attempt_cancelled:operation_deadline cancellation_observed:operation_deadline"},
		{variants.ErrCancelled, "attempt_cancelled:external_cancel cancellation_observed:external_cancel"},
		{variants.ErrCap, "attempt_cancelled:hard_cap cancellation_observed:hard_cap"},
	} {
		inStand(t, hangForever, &scenario.Scenario{}, func(st *stand) {
			ctx, cancel := context.WithCancelCause(st.t.Context())
			time.AfterFunc(100*msec, func() { cancel(c.cause) })
			_, err := st.get(ctx, variants.Limits{})
			if !errors.Is(err, c.cause) || st.elapsed() != 100*msec {
				t.Errorf("%v after %s", err, st.elapsed())
			}
			if !strings.HasSuffix(st.events(), "request_written "+c.want) {
				t.Errorf("%s, want %s", st.events(), c.want)
			}
			st.op.stop.Tell(ctx) // a second look adds nothing
			if !strings.HasSuffix(st.events(), "request_written "+c.want) {
				t.Errorf("twice: %s", st.events())
			}
		})
	}
}
