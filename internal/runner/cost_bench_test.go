package runner

import (
	"context"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"slices"
	"testing"
	"time"

	"github.com/deadlinelab/deadlinelab/internal/clock"
	"github.com/deadlinelab/deadlinelab/internal/eventlog"
	"github.com/deadlinelab/deadlinelab/internal/instrument"
	"github.com/deadlinelab/deadlinelab/internal/predict"
	"github.com/deadlinelab/deadlinelab/internal/scenario"
	"github.com/deadlinelab/deadlinelab/internal/variants"
)

// BenchmarkInstruments is what an operation costs more because it is recorded:
// pairs of operations of one client against an upstream that answers at once,
// one through the instruments and one without, the order changing.
func BenchmarkInstruments(b *testing.B) {
	p := newPair(b)
	defer p.close(b)
	for range 200 { // connection, buffers, caches
		p.plain(b)
		p.recorded(b)
	}
	var plain, recorded, added []time.Duration
	for i := 0; b.Loop(); i++ {
		var without, with time.Duration
		if i%2 == 0 {
			without, with = p.plain(b), p.recorded(b)
		} else {
			with, without = p.recorded(b), p.plain(b)
		}
		plain, recorded, added = append(plain, without), append(recorded, with), append(added, with-without)
	}
	b.ReportMetric(0, "ns/op")
	b.ReportMetric(medianMicros(plain), "plain-µs")
	b.ReportMetric(medianMicros(recorded), "recorded-µs")
	b.ReportMetric(medianMicros(added), "added-µs")
}

func medianMicros(d []time.Duration) float64 {
	slices.Sort(d)
	return float64(d[len(d)/2].Nanoseconds()) / 1e3
}

// pair makes the same operation with and without instruments.
type pair struct {
	scenario *scenario.Scenario
	client   *client
	url      string
	variant  variants.Variant
	recorder *eventlog.Recorder
	clock    clock.Clock
	copied   chan error
	server   *httptest.Server
	slots    chan struct{}
}

const costMarker = "deadlinelab:cost"

func newPair(b *testing.B) *pair {
	s, err := scenario.Load("healthy")
	if err != nil {
		b.Fatal(err)
	}
	v, _ := variants.Find("operation_deadline")
	p := &pair{scenario: s, client: newClient(s, nil, (&net.Dialer{}).DialContext), variant: v, clock: clock.New(), copied: make(chan error, 1), slots: make(chan struct{}, 1)}
	p.recorder = eventlog.NewRecorder(p.clock, eventlog.Header{Side: eventlog.ClientSide, Experiment: "cost"})
	go func() { p.copied <- eventlog.Copy(context.Background(), p.recorder, io.Discard) }()
	p.server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { fmt.Fprintf(w, "{%q:%q}", "marker", costMarker) }))
	p.url = p.server.URL + "/"
	return p
}

func (p *pair) close(b *testing.B) {
	p.client.close()
	p.server.Close()
	p.recorder.Close()
	if err := <-p.copied; err != nil {
		b.Error(err)
	}
}

// Acquire and Release are a semaphore as any client has it.
func (p *pair) Acquire(ctx context.Context) error {
	select {
	case p.slots <- struct{}{}:
		return nil
	case <-ctx.Done():
		return variants.Stopped(ctx)
	}
}

func (p *pair) TryAcquire() bool {
	select {
	case p.slots <- struct{}{}:
		return true
	default:
		return false
	}
}

func (p *pair) Release() { <-p.slots }

func (p *pair) plain(b *testing.B) time.Duration {
	start := time.Now()
	resp, err := p.variant.Do(context.Background(), &variants.Env{Start: start, Policy: predict.Policy(p.scenario, nil), URL: p.url, Marker: costMarker,
		Transport: p.client.transport, Slots: p, Pause: func(context.Context, time.Duration) error { return nil }})
	if err == nil {
		err = variants.Verify(resp, costMarker)
	}
	took := time.Since(start)
	if err != nil {
		b.Fatal(err)
	}
	return took
}

// recorded is call as in a run; what surrounds an operation, its hard cap and
// its arrangement, is no part of it.
func (p *pair) recorded(b *testing.B) time.Duration {
	j := &instrument.Journal{Op: "healthy-r1-D-m0001", Record: p.recorder.Record, Moments: instrument.NewMoments()}
	s := &instrument.Stop{Journal: j, Clock: p.clock}
	o := &operation{underway: &underway{start: eventlog.Start{Scenario: "healthy"}, policy: predict.Policy(p.scenario, nil), target: p.url, marker: costMarker,
		journal: j, clock: p.clock, begun: make(chan struct{}), ended: make(chan struct{})},
		client: p.client, do: p.variant.Do, stop: s,
		transport: &instrument.Transport{Journal: j, Stop: s, Base: p.client.transport},
		slots:     &instrument.Slots{Journal: j, Stop: s, Queue: p.slots}}
	start := time.Now()
	o.call(context.Background())
	took := time.Since(start)
	if !j.Sealed {
		b.Fatal("the operation has no end")
	}
	return took
}
