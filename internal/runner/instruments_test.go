package runner

import (
	"context"
	"errors"
	"io"
	"net/http"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/deadlinelab/deadlinelab/internal/clock"
	"github.com/deadlinelab/deadlinelab/internal/eventlog"
	"github.com/deadlinelab/deadlinelab/internal/instrument"
	"github.com/deadlinelab/deadlinelab/internal/memnet"
	"github.com/deadlinelab/deadlinelab/internal/predict"
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
		st.client = newClient(s, nil, st.net.DialContext)
		st.op = standOperation(st, clk, "http://"+listener.Addr().String()+"/", s)
		f(st)
		st.client.close()
		server.Close()
		time.Sleep(time.Second)
	})
}

func standOperation(st *stand, clk clock.Clock, url string, s *scenario.Scenario) *operation {
	j := &instrument.Journal{Op: "op", Record: st.recorder.Record, Moments: instrument.NewMoments()}
	stop := &instrument.Stop{Journal: j, Clock: clk}
	return &operation{underway: &underway{policy: predict.Policy(s, nil), target: url, marker: "marker", journal: j, clock: clk, begun: make(chan struct{}), ended: make(chan struct{})},
		client: st.client, stop: stop,
		transport: &instrument.Transport{Journal: j, Stop: stop, Base: st.client.transport},
		slots:     &instrument.Slots{Journal: j, Stop: stop, Queue: st.client.slots}}
}

// get makes one request with the limits through the instrumented transport and
// reads the whole body.
func (st *stand) get(ctx context.Context, l variants.Limits) (string, error) {
	req, err := http.NewRequestWithContext(variants.WithLimits(ctx, l), http.MethodGet, st.op.target, nil)
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
