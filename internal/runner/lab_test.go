package runner_test

import (
	"bytes"
	"context"
	"net/http"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/deadlinelab/deadlinelab/internal/clock"
	"github.com/deadlinelab/deadlinelab/internal/control"
	"github.com/deadlinelab/deadlinelab/internal/eventlog"
	"github.com/deadlinelab/deadlinelab/internal/labserver"
	"github.com/deadlinelab/deadlinelab/internal/memnet"
	"github.com/deadlinelab/deadlinelab/internal/runner"
	"github.com/deadlinelab/deadlinelab/internal/scenario"
	"github.com/deadlinelab/deadlinelab/internal/variants"
)

// lab is a labserver and a runner over one in-memory network and one clock,
// inside a test bubble.
type lab struct {
	t         *testing.T
	net       *memnet.Net
	clock     clock.Clock
	server    *labserver.Server
	http      *http.Transport
	control   *control.Client
	recorder  *eventlog.Recorder
	serverLog bytes.Buffer
	config    func(*runner.Config) // last changes; nil = none
}

// inLab runs f in a bubble with a lab, and ends everything in it.
func inLab(t *testing.T, f func(l *lab)) {
	t.Helper()
	inSkewedLab(t, 0, f)
}

// inSkewedLab is inLab with a server whose clock is another one: behind by about skew.
func inSkewedLab(t *testing.T, skew time.Duration, f func(l *lab)) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		l := &lab{t: t, net: memnet.New(), clock: clock.New()}
		server := l.clock
		if skew > 0 {
			time.Sleep(skew)
			server = clock.New() // the bubble's time has passed, the host's has not
		}
		l.server = labserver.New(labserver.Config{Listen: l.net.Listen, Clock: server, Token: "token", Version: "test"})
		base, err := l.server.Start("127.0.0.1:0")
		if err != nil {
			t.Fatal(err)
		}
		l.http = &http.Transport{DialContext: l.net.DialContext}
		l.control = control.NewClient(base, "token", &http.Client{Transport: l.http})
		l.recorder = eventlog.NewRecorder(l.clock, eventlog.Header{Side: eventlog.ClientSide, Experiment: "test"})
		f(l)
		l.recorder.Close()
		l.http.CloseIdleConnections()
		l.server.Close()
		time.Sleep(time.Second)
	})
}

func (l *lab) run(ctx context.Context, p *runner.Plan) (*runner.Result, error) {
	cfg := runner.Config{Clock: l.clock, Control: l.control, Dial: l.net.DialContext, Recorder: l.recorder, ServerLog: &l.serverLog}
	if l.config != nil {
		l.config(&cfg)
	}
	return runner.New(cfg).Run(ctx, p)
}

// mustRun runs a plan to its end and checks that no event is missing.
func (l *lab) mustRun(p *runner.Plan) *record {
	l.t.Helper()
	result, err := l.run(l.t.Context(), p)
	if err != nil {
		l.t.Fatal(err)
	}
	if len(result.Busy) > 0 {
		l.t.Errorf("still busy: %v", result.Busy)
	}
	rec := l.record()
	for _, tally := range result.Tallies {
		if got := rec.lastSeq[tally.Experiment]; got != tally.LastSeq || tally.Lost > 0 {
			l.t.Errorf("experiment %s: %d of %d events in the log, %d lost", tally.Experiment, got, tally.LastSeq, tally.Lost)
		}
	}
	return rec
}

// record is both logs by operation.
type record struct {
	client, server map[string][]eventlog.Event
	lastSeq        map[string]uint64 // by experiment
	noise          int
}

func (l *lab) record() *record {
	l.t.Helper()
	rec := &record{client: map[string][]eventlog.Event{}, server: map[string][]eventlog.Event{}, lastSeq: map[string]uint64{}}
	_, err := eventlog.ReadEach("server.jsonl", bytes.NewReader(l.serverLog.Bytes()), func(e *eventlog.Event) {
		rec.server[e.Op] = append(rec.server[e.Op], *e)
		rec.lastSeq[e.Exp] = e.Seq
	})
	if err != nil {
		l.t.Fatal(err)
	}
	for _, e := range l.recorder.Read(0, 0) {
		rec.client[e.Op] = append(rec.client[e.Op], e)
		if e.Kind == eventlog.NoiseSampled {
			rec.noise++
		}
	}
	return rec
}

// plan is a plan of the scenarios for the variants with these letters; none =
// those that each file lists.
func (l *lab) plan(o runner.Options, labels string, scenarios ...*scenario.Scenario) *runner.Plan {
	l.t.Helper()
	var vs []variants.Variant
	for label := range strings.FieldsSeq(labels) {
		v, ok := variants.Find(label)
		if !ok {
			l.t.Fatalf("no variant %s", label)
		}
		vs = append(vs, v)
	}
	p, err := runner.NewPlan(scenarios, vs, o)
	if err != nil {
		l.t.Fatal(err)
	}
	return p
}

func load(t *testing.T, name string) *scenario.Scenario {
	t.Helper()
	s, err := scenario.Load(name)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// kinds lists the events of one operation, without those named.
func kinds(events []eventlog.Event, without ...eventlog.Kind) string {
	var names []string
	for _, e := range events {
		skip := false
		for _, k := range without {
			skip = skip || e.Kind == k
		}
		if !skip {
			names = append(names, string(e.Kind))
		}
	}
	return strings.Join(names, " ")
}

func first(events []eventlog.Event, k eventlog.Kind) (eventlog.Event, bool) {
	for _, e := range events {
		if e.Kind == k {
			return e, true
		}
	}
	return eventlog.Event{}, false
}

func count(events []eventlog.Event, k eventlog.Kind) int {
	n := 0
	for _, e := range events {
		if e.Kind == k {
			n++
		}
	}
	return n
}
