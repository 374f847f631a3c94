package variants

import (
	"context"
	"io"
	"net"
	"net/http"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/deadlinelab/deadlinelab/internal/eventlog"
	"github.com/deadlinelab/deadlinelab/internal/memnet"
)

const msec = time.Millisecond

// stand is one client in front of a plain net/http server in memory, inside a
// test bubble: every duration is exact.
type stand struct {
	t        *testing.T
	variant  Variant
	env      Env
	pool     *http.Transport
	requests atomic.Int64
	conns    atomic.Int64 // connections that were dialled
	paused   atomic.Int64 // nanoseconds slept between attempts
	slots    *semaphore
}

// semaphore is admission without instruments; one without a queue is none.
type semaphore struct{ queue chan struct{} }

func (s *semaphore) Acquire(ctx context.Context) error {
	if ctx.Err() != nil {
		return Stopped(ctx)
	}
	if s.queue == nil {
		return nil
	}
	select {
	case s.queue <- struct{}{}:
		return nil
	case <-ctx.Done():
		return Stopped(ctx)
	}
}

func (s *semaphore) TryAcquire() bool {
	select {
	case s.queue <- struct{}{}:
		return true
	default:
		return s.queue == nil
	}
}

func (s *semaphore) Release() {
	if s.queue != nil {
		<-s.queue
	}
}

// inStand runs f with a client of that variant, and ends everything in its bubble.
func inStand(t *testing.T, variant string, p Policy, handler http.HandlerFunc, f func(*stand)) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		s := &stand{t: t, slots: &semaphore{}}
		s.variant, _ = Find(variant)
		network := memnet.New()
		listener, err := network.Listen("tcp", "127.0.0.1:0")
		if err != nil {
			t.Fatal(err)
		}
		server := &http.Server{Handler: http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			s.requests.Add(1)
			handler(w, r)
		})}
		go server.Serve(listener)
		s.pool = &http.Transport{DisableCompression: true, DialContext: func(ctx context.Context, n, addr string) (net.Conn, error) {
			s.conns.Add(1)
			return network.DialContext(ctx, n, addr)
		}}
		if s.variant.Tune != nil {
			s.variant.Tune(s.pool, p)
		}
		s.env = Env{Policy: p, URL: "http://" + listener.Addr().String() + "/", Marker: "marker", Transport: s.pool, Slots: s.slots, Pause: s.pause}
		f(s)
		s.pool.CloseIdleConnections()
		server.Close()
		time.Sleep(time.Minute)
	})
}

func (s *stand) pause(ctx context.Context, d time.Duration) error {
	timer := time.NewTimer(d)
	defer timer.Stop()
	from := time.Now()
	defer func() { s.paused.Add(int64(time.Since(from))) }()
	select {
	case <-timer.C:
		return nil
	case <-ctx.Done():
		return Stopped(ctx)
	}
}

// shown is what one call showed.
type shown struct {
	outcome  eventlog.Outcome
	after    time.Duration
	requests int64
}

// call makes the call now, under the bench's hard cap of five seconds.
func (s *stand) call(ctx context.Context) (shown, error) {
	ctx, cancel := context.WithTimeoutCause(ctx, 5*time.Second, ErrCap)
	defer cancel()
	env, before := s.env, s.requests.Load()
	env.Start = time.Now()
	resp, err := s.variant.Do(ctx, &env)
	after := time.Since(env.Start)
	if err == nil {
		err = Verify(resp, env.Marker)
	}
	outcome, _ := OutcomeOf(err)
	return shown{outcome, after, s.requests.Load() - before}, err
}

// The upstreams.

func answer(w http.ResponseWriter, _ *http.Request) { io.WriteString(w, "marker") }

func hang(_ http.ResponseWriter, r *http.Request) { <-r.Context().Done() }

func failing(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(503) }

func after(d time.Duration, then http.HandlerFunc) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		time.Sleep(d)
		then(w, r)
	}
}

// dribble writes pieces, each after a gap, behind a head with that status.
func dribble(status, pieces, size int, gap time.Duration) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		w.WriteHeader(status)
		w.(http.Flusher).Flush()
		for i := range pieces {
			time.Sleep(gap)
			piece := make([]byte, size)
			if i == 0 {
				piece = append([]byte("marker"), piece...)
			}
			if _, err := w.Write(piece); err != nil {
				return
			}
			w.(http.Flusher).Flush()
		}
	}
}

// stall is a head and a little body, then silence.
func stall(w http.ResponseWriter, r *http.Request) {
	w.Header().Set("Content-Length", "20")
	io.WriteString(w, "marke")
	w.(http.Flusher).Flush()
	hang(w, r)
}
