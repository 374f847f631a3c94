package runner

import (
	"context"
	"io"
	"net"
	"net/http"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/deadlinelab/deadlinelab/internal/eventlog"
	"github.com/deadlinelab/deadlinelab/internal/scenario"
	"github.com/deadlinelab/deadlinelab/internal/variants"
)

// connect_ms counts the pool's queue: the only connection is taken.
func TestConnectLimitInPoolQueue(t *testing.T) {
	inStand(t, hangForever, &scenario.Scenario{Pool: &scenario.Pool{Limit: 1}}, func(st *stand) {
		holder, cancel := context.WithCancel(st.t.Context())
		go func() { // through net/http alone: its events are not looked at
			req, _ := http.NewRequestWithContext(holder, http.MethodGet, st.op.target, nil)
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
		st.client.transport.DialContext = st.client.conns.Dialer(func(ctx context.Context, _, _ string) (net.Conn, error) {
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
		st.client.transport.DialContext = st.client.conns.Dialer(func(ctx context.Context, network, addr string) (net.Conn, error) {
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
