package runner_test

import (
	"bytes"
	"cmp"
	"context"
	"fmt"
	"net"
	"net/http"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	gocmp "github.com/google/go-cmp/cmp"

	"github.com/deadlinelab/deadlinelab/internal/clock"
	"github.com/deadlinelab/deadlinelab/internal/control"
	"github.com/deadlinelab/deadlinelab/internal/eventlog"
	"github.com/deadlinelab/deadlinelab/internal/labserver"
	"github.com/deadlinelab/deadlinelab/internal/memnet"
	"github.com/deadlinelab/deadlinelab/internal/runner"
	"github.com/deadlinelab/deadlinelab/internal/scenario"
)

// Isolation: eight experiments at once on one labserver give, operation by
// operation and side by side, the event sequences of the same eight run one
// after another.

// course is what happened to the operations of one run: side and operation to
// the events in their order, without sequence numbers and addresses.
type course map[string][]string

// Eight scenarios in virtual time: even the times are the same.
func TestIsolation(t *testing.T) {
	var plans []*runner.Plan
	for _, name := range []string{"semaphore_wait", "slow_headers", "slow_body", "pool_wait", "transient_error", "cancel_in_http", "hang", "backoff_holds_slot"} {
		plans = append(plans, isolated(t, load(t, name)))
	}
	sameCourses(t, inMemory(t, plans, oneAfterAnother), inMemory(t, plans, allAtOnce))
}

// Eight runs of one scenario have the same operation ids, and never meet.
func TestIsolationOfEqualOperations(t *testing.T) {
	for _, name := range []string{"transient_error", "pool_wait", "cancel_in_http"} {
		plans := slices.Repeat([]*runner.Plan{isolated(t, load(t, name))}, 8)
		alone := inMemory(t, plans[:1], oneAfterAnother)
		sameCourses(t, slices.Repeat(alone, 8), inMemory(t, plans, allAtOnce))
	}
}

// The same on the wire. The waits that decide are far apart, so that no load of
// the machine makes another sequence of them; when they happen is not compared.
func TestIsolationOnTheWire(t *testing.T) {
	var plans []*runner.Plan
	for i, of := range []struct{ fault, outcome string }{
		{"{type: healthy, response_delay_ms: 50}", "success"},
		{"{type: transient_error, steps: [{status: 503, delay_ms: 50}, {status: 200, delay_ms: 50}]}", "success"},
		{"{type: persistent_error, status: 503, response_delay_ms: 50}", "retries_exhausted"},
		{"{type: slow_headers, response_delay_ms: 120}", "success"},
		{"{type: slow_body, status: 200, chunks: 8, chunk_interval_ms: 20}", "success"},
		{"{type: pool_wait, hold_ms: 200, response_delay_ms: 50}", "success"},
		{"{type: semaphore_wait, hold_ms: 200, response_delay_ms: 50}", "success"},
		{"{type: hang}", "deadline_exceeded"},
	} {
		plans = append(plans, isolated(t, wide(t, i, of.fault, of.outcome)))
	}
	sameCourses(t, onTheWire(t, plans, oneAfterAnother), onTheWire(t, plans, allAtOnce))
}

// wide is a scenario with limits that only a hanging upstream reaches.
func wide(t *testing.T, n int, fault, outcome string) *scenario.Scenario {
	t.Helper()
	budget := 60_000
	if strings.Contains(fault, "hang") {
		budget = 2_000
	}
	s, err := scenario.Parse("wide.yaml", fmt.Appendf(nil, `
name: wide_%d
question: Do experiments at once disturb each other?
lesson: All state hangs on the experiment.
contrast: [operation_deadline, slot_per_attempt]
operation: {budget_ms: %d, max_attempts: 3, backoff_ms: [100], jitter: false, retryable_statuses: [503]}
attempt: {total_ms: null, connect_ms: null, sock_connect_ms: null, sock_read_ms: null}
pool: {limit: 1}
slots: 1
scenario: %s
variants: [operation_deadline, slot_per_attempt]
expect: {operation_deadline: {outcome: %[4]s}, slot_per_attempt: {outcome: %[4]s}}
`, n, budget, fault, outcome))
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func isolated(t *testing.T, s *scenario.Scenario) *runner.Plan {
	t.Helper()
	p, err := runner.NewPlan([]*scenario.Scenario{s}, nil, runner.Options{Seed: 7, Repeats: 1, Operations: 4})
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// site is a labserver and the network around it.
type site struct {
	clock   clock.Clock
	control *control.Client
	dial    func(ctx context.Context, network, addr string) (net.Conn, error)
	times   bool // keep them
}

func inMemory(t *testing.T, plans []*runner.Plan, order func(*testing.T, *site, []*runner.Plan) []course) (courses []course) {
	synctest.Test(t, func(t *testing.T) {
		n, clk := memnet.New(), clock.New()
		courses = onSite(t, labserver.Config{Listen: n.Listen, Clock: clk, Token: "token"}, &site{clock: clk, dial: n.DialContext, times: true}, plans, order)
		time.Sleep(time.Second)
	})
	return courses
}

func onTheWire(t *testing.T, plans []*runner.Plan, order func(*testing.T, *site, []*runner.Plan) []course) []course {
	clk := clock.New()
	return onSite(t, labserver.Config{Clock: clk, Token: "token"}, &site{clock: clk, dial: (&net.Dialer{}).DialContext}, plans, order)
}

func onSite(t *testing.T, cfg labserver.Config, s *site, plans []*runner.Plan, order func(*testing.T, *site, []*runner.Plan) []course) []course {
	t.Helper()
	server := labserver.New(cfg)
	defer server.Close()
	base, err := server.Start("127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	transport := &http.Transport{DialContext: s.dial}
	defer transport.CloseIdleConnections()
	s.control = control.NewClient(base, "token", &http.Client{Transport: transport})
	return order(t, s, plans)
}

func oneAfterAnother(t *testing.T, s *site, plans []*runner.Plan) []course {
	courses := make([]course, len(plans))
	for i, p := range plans {
		courses[i] = s.run(t, p)
	}
	return courses
}

func allAtOnce(t *testing.T, s *site, plans []*runner.Plan) []course {
	courses := make([]course, len(plans))
	var runs sync.WaitGroup
	for i, p := range plans {
		runs.Go(func() { courses[i] = s.run(t, p) })
	}
	runs.Wait()
	return courses
}

// run carries out one plan and returns its course.
func (s *site) run(t *testing.T, p *runner.Plan) course {
	recorder := eventlog.NewRecorder(s.clock, eventlog.Header{Side: eventlog.ClientSide})
	defer recorder.Close()
	var lines bytes.Buffer
	_, err := runner.New(runner.Config{Clock: s.clock, Control: s.control, Dial: s.dial, Recorder: recorder, ServerLog: &lines}).Run(context.Background(), p)
	if err != nil {
		t.Error(err)
	}
	var served []eventlog.Event
	if _, err := eventlog.ReadEach("server.jsonl", &lines, func(e *eventlog.Event) { served = append(served, *e) }); err != nil {
		t.Error(err)
		return nil
	}
	c, t0 := course{}, map[string]int64{}
	events := recorder.Read(0, 0)
	for _, e := range events {
		if e.Kind == eventlog.OperationStarted {
			t0[e.Op] = e.TNs
		}
	}
	s.add(c, t0, "client ", events)
	s.add(c, t0, "server ", served)
	return c
}

// add sorts the events of a side by operation. At one instant of virtual time
// the order is any: the events of an instant stand in that of their names.
func (s *site) add(c course, t0 map[string]int64, side string, events []eventlog.Event) {
	if s.times {
		slices.SortStableFunc(events, func(a, b eventlog.Event) int { return cmp.Or(cmp.Compare(a.TNs, b.TNs), cmp.Compare(a.Kind, b.Kind)) })
	}
	for _, e := range events {
		if e.Op == "" {
			continue
		}
		text := fmt.Sprintf("%s attempt %d exchange %d status %d bytes %d of %d reused %t limit %q how %q by %q outcome %q %q cause %q",
			e.Kind, e.Attempt, e.Exchange, e.Status, e.Bytes, e.Total, e.Reused, e.Limit, e.How, e.By, e.Outcome, e.Last, e.Cause)
		if s.times {
			text = fmt.Sprintf("%s %s", time.Duration(e.TNs-t0[e.Op]), text)
		}
		c[side+e.Op] = append(c[side+e.Op], text)
	}
}

func sameCourses(t *testing.T, want, got []course) {
	t.Helper()
	for i := range want {
		if len(want[i]) < 10 {
			t.Errorf("run %d has only %d sequences: nothing is proven", i+1, len(want[i]))
		}
		if len(want[i]) != len(got[i]) {
			t.Errorf("run %d: %d sequences one after another, %d at once", i+1, len(want[i]), len(got[i]))
		}
		for of, events := range want[i] {
			if d := gocmp.Diff(events, got[i][of]); d != "" {
				t.Errorf("run %d, %s (- one after another, + at once):\n%s", i+1, of, d)
				break
			}
		}
	}
}
