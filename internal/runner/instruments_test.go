package runner

import (
	"context"
	"errors"
	"io"
	"net"
	"net/http"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/deadlinelab/deadlinelab/internal/clock"
	"github.com/deadlinelab/deadlinelab/internal/eventlog"
	"github.com/deadlinelab/deadlinelab/internal/memnet"
	"github.com/deadlinelab/deadlinelab/internal/scenario"
	"github.com/deadlinelab/deadlinelab/internal/variants"
)

// stand is one operation's instruments in front of a plain net/http server in
// memory, inside a test bubble.
type stand struct {
	t        *testing.T
	net      *memnet.Net
	recorder *eventlog.Recorder
	client   *client
	op       *operation
	requests atomic.Int64
	began    time.Time
}

func inStand(t *testing.T, handler http.HandlerFunc, s *scenario.Scenario, f func(s *stand)) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		st := &stand{t: t, net: memnet.New(), began: time.Now()}
		listener, err := st.net.Listen("tcp", "127.0.0.1:0")
		if err != nil {
			t.Fatal(err)
		}
		server := &http.Server{Handler: http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			st.requests.Add(1)
			handler(w, r)
		})}
		go server.Serve(listener)
		clk := clock.New()
		st.recorder = eventlog.NewRecorder(clk, eventlog.Header{Side: eventlog.ClientSide})
		st.client = newClient(s, st.net.DialContext)
		st.op = standOperation(st, clk, "http://"+listener.Addr().String()+"/", s)
		f(st)
		st.client.close()
		server.Close()
		time.Sleep(time.Second)
	})
}

func standOperation(st *stand, clk clock.Clock, url string, s *scenario.Scenario) *operation {
	j := &journal{op: "op", record: st.recorder.Record, moments: newMoments()}
	stop := &stop{journal: j, clock: clk}
	return &operation{policy: policyOf(s, nil), client: st.client, url: url, marker: "marker", journal: j, stop: stop,
		begun: make(chan struct{}), ended: make(chan struct{}),
		transport: &transport{journal: j, stop: stop, base: st.client.transport},
		slots:     &slots{journal: j, stop: stop, queue: st.client.slots}}
}

// get makes one request with the limits through the instrumented transport and
// reads the whole body.
func (st *stand) get(ctx context.Context, l variants.Limits) (string, error) {
	req, err := http.NewRequestWithContext(variants.WithLimits(ctx, l), http.MethodGet, st.op.url, nil)
	if err != nil {
		return "", err
	}
	resp, err := (&http.Client{Transport: st.op.transport}).Do(req)
	if err != nil {
		return "", err
	}
	defer resp.Body.Close()
	b, err := io.ReadAll(resp.Body)
	return string(b), err
}

func (st *stand) events() string {
	var names []string
	for _, e := range st.recorder.Read(1, 0) {
		name := string(e.Kind)
		if e.Limit != "" {
			name += ":" + e.Limit
		}
		if e.Cause != "" {
			name += ":" + e.Cause
		}
		names = append(names, name)
	}
	return strings.Join(names, " ")
}

func (st *stand) elapsed() time.Duration { return time.Since(st.began) }

// wantLimit checks that err is the limit and that it acted at that instant.
func (st *stand) wantLimit(err error, limit string, at time.Duration) {
	st.t.Helper()
	var l *variants.LimitError
	if !errors.As(err, &l) || l.Limit != limit {
		st.t.Errorf("error %v, want the limit %s", err, limit)
	}
	if got := st.elapsed(); got != at {
		st.t.Errorf("ended after %s, want %s", got, at)
	}
	if want := "attempt_timed_out:" + limit; !strings.HasSuffix(st.events(), want) {
		st.t.Errorf("events %s, want %s at the end", st.events(), want)
	}
}

func answerMarker(w http.ResponseWriter, _ *http.Request) { io.WriteString(w, "marker") }

func hangForever(_ http.ResponseWriter, r *http.Request) { <-r.Context().Done() }

const msec = time.Millisecond

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

// connect_ms counts the pool's queue: the only connection is taken.
func TestConnectLimitInPoolQueue(t *testing.T) {
	inStand(t, hangForever, &scenario.Scenario{Pool: &scenario.Pool{Limit: 1}}, func(st *stand) {
		holder, cancel := context.WithCancel(st.t.Context())
		go func() { // through net/http alone: its events are not looked at
			req, _ := http.NewRequestWithContext(holder, http.MethodGet, st.op.url, nil)
			if resp, err := st.client.transport.RoundTrip(req); err == nil {
				resp.Body.Close()
			}
		}()
		synctest.Wait()
		_, err := st.get(st.t.Context(), variants.Limits{Connect: 100 * msec, SockConnect: 30 * msec, Total: 2000 * msec})
		st.wantLimit(err, "connect_ms", 100*msec)
		if n := st.requests.Load(); n != 1 {
			t.Errorf("%d requests arrived, want the holder's alone", n)
		}
		cancel()
	})
}

// sock_connect_ms bounds the dial alone.
func TestSockConnectLimit(t *testing.T) {
	inStand(t, answerMarker, &scenario.Scenario{}, func(st *stand) {
		st.client.transport.DialContext = st.client.conns.dialer(func(ctx context.Context, _, _ string) (net.Conn, error) {
			<-ctx.Done()
			return nil, ctx.Err()
		})
		_, err := st.get(st.t.Context(), variants.Limits{Connect: 500 * msec, SockConnect: 300 * msec})
		st.wantLimit(err, "sock_connect_ms", 300*msec)
	})
}

// connect_ms also ends a dial that takes too long.
func TestConnectLimitInDial(t *testing.T) {
	inStand(t, answerMarker, &scenario.Scenario{}, func(st *stand) {
		st.client.transport.DialContext = st.client.conns.dialer(func(ctx context.Context, network, addr string) (net.Conn, error) {
			time.Sleep(400 * msec)
			return st.net.DialContext(ctx, network, addr)
		})
		_, err := st.get(st.t.Context(), variants.Limits{Connect: 250 * msec})
		st.wantLimit(err, "connect_ms", 250*msec)
	})
}

// connect_ms is over once there is a connection.
func TestConnectLimitEndsWithConnection(t *testing.T) {
	slow := func(w http.ResponseWriter, r *http.Request) { time.Sleep(500 * msec); answerMarker(w, r) }
	inStand(t, slow, &scenario.Scenario{}, func(st *stand) {
		if body, err := st.get(st.t.Context(), variants.Limits{Connect: 100 * msec, SockConnect: 100 * msec}); err != nil || st.elapsed() != 500*msec {
			t.Errorf("%q, %v after %s", body, err, st.elapsed())
		}
	})
}

// sock_read_ms acts while the response head is awaited.
func TestSockReadLimitBeforeHeaders(t *testing.T) {
	inStand(t, hangForever, &scenario.Scenario{}, func(st *stand) {
		_, err := st.get(st.t.Context(), variants.Limits{SockRead: 200 * msec})
		st.wantLimit(err, "sock_read_ms", 200*msec)
	})
}

// chunks writes a piece every gap, then is silent.
func chunks(n int, gap time.Duration, silence time.Duration) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		for range n {
			io.WriteString(w, "marker ")
			w.(http.Flusher).Flush()
			pass(r, gap)
		}
		pass(r, silence)
	}
}

// pass waits, unless the client leaves.
func pass(r *http.Request, d time.Duration) {
	select {
	case <-time.After(d):
	case <-r.Context().Done():
	}
}

// sock_read_ms is re-armed at each read: a steady body outlives it by far.
func TestSockReadLimitIsReArmed(t *testing.T) {
	inStand(t, chunks(16, 75*msec, 0), &scenario.Scenario{}, func(st *stand) {
		if body, err := st.get(st.t.Context(), variants.Limits{SockRead: 100 * msec}); err != nil || st.elapsed() != 1200*msec {
			t.Errorf("%q, %v after %s", body, err, st.elapsed())
		}
	})
}

// sock_read_ms ends a body that falls silent, counted from its last bytes.
func TestSockReadLimitInBody(t *testing.T) {
	inStand(t, chunks(4, 75*msec, time.Hour), &scenario.Scenario{}, func(st *stand) {
		_, err := st.get(st.t.Context(), variants.Limits{SockRead: 100 * msec})
		st.wantLimit(err, "sock_read_ms", 3*75*msec+100*msec)
	})
}

// total_ms covers the body; its cause is the attempt's own.
func TestTotalLimit(t *testing.T) {
	inStand(t, chunks(100, 75*msec, 0), &scenario.Scenario{}, func(st *stand) {
		ctx, cancel := context.WithTimeoutCause(st.t.Context(), 400*msec, variants.ErrAttemptTimeout)
		defer cancel()
		_, err := st.get(ctx, variants.Limits{Total: 400 * msec})
		if outcome, _ := variants.OutcomeOf(err); outcome != eventlog.AttemptTimeout || st.elapsed() != 400*msec {
			t.Errorf("%v after %s", err, st.elapsed())
		}
		if !strings.HasSuffix(st.events(), "headers_received attempt_timed_out:total_ms") {
			t.Errorf("%s", st.events())
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
		st.op.transport.settle()
		if events := st.events(); strings.Count(events, "attempt_started") != 1 || !strings.HasSuffix(events, "attempt_finished") {
			t.Errorf("%s", events)
		}
	})
}

// A body that nobody closes is a failed attempt.
func TestUnclosedBody(t *testing.T) {
	inStand(t, answerMarker, &scenario.Scenario{}, func(st *stand) {
		req, _ := http.NewRequestWithContext(st.t.Context(), http.MethodGet, st.op.url, nil)
		resp, err := st.op.transport.RoundTrip(req)
		if err != nil {
			t.Fatal(err)
		}
		st.op.transport.settle()
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
		req, _ := http.NewRequestWithContext(st.t.Context(), http.MethodGet, st.op.url, nil)
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
		seen = append(seen, r.Header.Get(attemptHeader))
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
			st.op.stop.tell(ctx) // a second look adds nothing
			if !strings.HasSuffix(st.events(), "request_written "+c.want) {
				t.Errorf("twice: %s", st.events())
			}
		})
	}
}

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
		st.op.transport.deadline = st.began.Add(time.Second)
		p := &backoff{journal: st.op.journal, stop: st.op.stop, transport: st.op.transport}
		if err := p.pause(st.t.Context(), 0); err != nil || st.events() != "" {
			t.Errorf("a pause of nothing: %v, %s", err, st.events())
		}
		if err := p.pause(st.t.Context(), 300*msec); err != nil || st.elapsed() != 300*msec {
			t.Errorf("%v after %s", err, st.elapsed())
		}
		ctx, cancel := context.WithTimeoutCause(st.t.Context(), 50*msec, variants.ErrOperationDeadline)
		defer cancel()
		if err := p.pause(ctx, 300*msec); !errors.Is(err, variants.ErrOperationDeadline) || st.elapsed() != 350*msec {
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
	for _, label := range []string{"D", "E", "F"} {
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

// An external cancel reaches the caller of every variant as context.Canceled.
func TestCancelIdentity(t *testing.T) {
	for _, v := range variants.All() {
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
	for _, label := range []string{"C", "D", "E"} {
		v, _ := variants.Find(label)
		s := &scenario.Scenario{Operation: scenario.Operation{BudgetMs: 1000, MaxAttempts: 1}}
		inStand(t, answerMarker, s, func(st *stand) {
			env := st.op.env()
			env.Start = time.Now()
			env.Transport = roundTripper(func(req *http.Request) (*http.Response, error) {
				time.Sleep(1001 * msec) // deaf to its context
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
