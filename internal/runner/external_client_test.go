package runner_test

import (
	"bytes"
	"context"
	"errors"
	"io"
	"net/http"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/deadlinelab/deadlinelab/adapter"
	"github.com/deadlinelab/deadlinelab/internal/eventlog"
	"github.com/deadlinelab/deadlinelab/internal/runner"
	"github.com/deadlinelab/deadlinelab/internal/scenario"
	"github.com/deadlinelab/deadlinelab/internal/variants"
)

// reportLag is how long the fake's reports are under way: what goes by when the
// bench hears of something instead of when it happened is off by that much.
const reportLag = 7 * time.Millisecond

// fakeCaller makes the calls of a client in a process of its own: one with a
// deadline at t0, slots and a pool for each client id.
type fakeCaller struct {
	lab     *lab
	instead func(ctx context.Context, c *variants.Call) variants.Ending // of its own calls; nil = none

	mu        sync.Mutex
	clients   map[string]*fakeClient
	calls     []variants.Call
	forgotten []string
	inFlight  int
	most      int // calls in flight at once
}

type fakeClient struct {
	transport *http.Transport
	slots     chan struct{} // nil = none
}

// external is a client of its own kind on a fake; by default an adapter that can
// do everything.
func (l *lab) external(name string, edit func(*variants.External)) (variants.Variant, *fakeCaller) {
	caller := &fakeCaller{lab: l, clients: map[string]*fakeClient{}}
	f := &variants.External{Kind: eventlog.AdapterClient, Can: adapter.Capabilities, AtOnce: 100, Caller: caller}
	if edit != nil {
		edit(f)
	}
	return variants.Variant{Name: name, Label: name, External: f}, caller
}

func (l *lab) foreignPlan(o runner.Options, v variants.Variant, scenarios ...*scenario.Scenario) *runner.Plan {
	l.t.Helper()
	p, err := runner.NewPlan(scenarios, []variants.Variant{v}, o)
	if err != nil {
		l.t.Fatal(err)
	}
	return p
}

func (f *fakeCaller) Call(ctx context.Context, c *variants.Call) variants.Ending {
	f.mu.Lock()
	f.calls = append(f.calls, *c)
	f.inFlight++
	f.most = max(f.most, f.inFlight)
	f.mu.Unlock()
	defer func() {
		f.mu.Lock()
		defer f.mu.Unlock()
		f.inFlight--
	}()
	if f.instead != nil {
		return f.instead(ctx, c)
	}
	return f.make(ctx, c)
}

// make is one call as the client makes it, told reportLag later.
func (f *fakeCaller) make(ctx context.Context, c *variants.Call) variants.Ending {
	call := &fakeCall{Call: c, client: f.client(c), clock: f.lab, reports: make(chan report, 100)}
	told := make(chan struct{})
	go func() {
		defer close(told)
		for r := range call.reports {
			time.Sleep(time.Until(r.at.Add(reportLag)))
			r.tell()
		}
	}()
	end := call.perform(ctx)
	end.At = time.Now()
	call.report(func() {})
	close(call.reports)
	<-told
	return end
}

func (f *fakeCaller) client(c *variants.Call) *fakeClient {
	f.mu.Lock()
	defer f.mu.Unlock()
	k := f.clients[c.Client]
	if k == nil {
		k = &fakeClient{transport: &http.Transport{DialContext: f.lab.net.DialContext, MaxConnsPerHost: max(c.PoolLimit, c.PoolPerHost)}}
		if c.Slots > 0 {
			k.slots = make(chan struct{}, c.Slots)
		}
		f.clients[c.Client] = k
	}
	return k
}

func (f *fakeCaller) Forget(client string) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.forgotten = append(f.forgotten, client)
	if k := f.clients[client]; k != nil {
		k.transport.CloseIdleConnections()
	}
}

// clientsOf lists the client ids of the calls, each once.
func (f *fakeCaller) clientsOf() []string {
	var ids []string
	for _, c := range f.calls {
		ids = append(ids, c.Client)
	}
	slices.Sort(ids)
	return slices.Compact(ids)
}

type report struct {
	at   time.Time
	tell func()
}

type fakeCall struct {
	*variants.Call
	client  *fakeClient
	clock   *lab
	reports chan report
	attempt int
}

func (c *fakeCall) report(tell func()) { c.reports <- report{time.Now(), tell} }

func (c *fakeCall) event(k eventlog.Kind, planned time.Duration) {
	e := eventlog.Event{Kind: k, AtNs: c.clock.clock.Now(), Attempt: c.attempt, PlannedMs: float64(planned) / 1e6}
	c.report(func() { c.Heard(e) })
}

func (c *fakeCall) perform(ctx context.Context) variants.Ending {
	t0 := time.Now()
	c.report(func() { c.Began(t0) })
	if c.HoldSlots {
		return c.hold(ctx)
	}
	ctx, cancel := context.WithDeadlineCause(ctx, t0.Add(c.Policy.Budget), variants.ErrOperationDeadline)
	defer cancel()
	if c.client.slots != nil {
		c.event(eventlog.AdmissionWaitStarted, 0)
		select {
		case c.client.slots <- struct{}{}:
			c.event(eventlog.AdmissionAcquired, 0)
			defer func() { <-c.client.slots; c.event(eventlog.AdmissionReleased, 0) }()
		case <-ctx.Done():
			return stopped(ctx)
		}
	}
	return c.attempts(ctx)
}

func (c *fakeCall) hold(ctx context.Context) variants.Ending {
	for range cap(c.client.slots) {
		c.client.slots <- struct{}{}
	}
	c.event(eventlog.AdmissionAcquired, 0)
	c.report(c.Holding)
	select {
	case at := <-c.Until:
		time.Sleep(time.Until(at))
	case <-ctx.Done():
		return stopped(ctx)
	}
	for range cap(c.client.slots) {
		<-c.client.slots
	}
	c.event(eventlog.AdmissionReleased, 0)
	return variants.Ending{Outcome: eventlog.Success}
}

func (c *fakeCall) attempts(ctx context.Context) variants.Ending {
	for {
		c.attempt++
		c.event(eventlog.AttemptStarted, 0)
		status, body, err := c.get(ctx)
		switch {
		case ctx.Err() != nil:
			c.event(eventlog.AttemptCancelled, 0)
			return stopped(ctx)
		case err == nil && status == 200:
			c.event(eventlog.AttemptFinished, 0)
			return variants.Ending{Outcome: eventlog.Success, Status: status, Bytes: int64(len(body))}
		}
		c.event(eventlog.AttemptFailed, 0)
		if c.attempt >= c.Policy.MaxAttempts {
			return variants.Ending{Outcome: eventlog.RetriesExhausted, Last: eventlog.UnexpectedStatus, Status: status, ErrorType: "StatusError", Error: "status"}
		}
		pause := c.Policy.Backoff[min(c.attempt, len(c.Policy.Backoff))-1]
		c.event(eventlog.BackoffStarted, pause)
		select {
		case <-time.After(pause):
			c.event(eventlog.BackoffFinished, 0)
		case <-ctx.Done():
			return stopped(ctx)
		}
	}
}

func (c *fakeCall) get(ctx context.Context) (int, []byte, error) {
	if total := c.Policy.Limits.Total; total > 0 {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeout(ctx, total)
		defer cancel()
	}
	req, err := http.NewRequestWithContext(ctx, c.Method, c.URL, nil)
	if err != nil {
		return 0, nil, err
	}
	resp, err := c.client.transport.RoundTrip(req)
	if err != nil {
		return 0, nil, err
	}
	defer resp.Body.Close()
	body, err := io.ReadAll(resp.Body)
	if err == nil && resp.StatusCode == 200 && !bytes.Contains(body, []byte(c.Marker)) {
		err = errors.New("no marker")
	}
	return resp.StatusCode, body, err
}

// stopped is the end of a call by its own deadline or its caller's cancel.
func stopped(ctx context.Context) variants.Ending {
	if errors.Is(context.Cause(ctx), variants.ErrOperationDeadline) {
		return variants.Ending{Outcome: eventlog.DeadlineExceeded, ErrorType: "TimeoutError", Error: "the deadline has passed"}
	}
	return variants.Ending{Outcome: eventlog.Cancelled, ErrorType: "CancelledError", Error: "cancelled"}
}

// atNs is the client's own time of the first event of a kind.
func atNs(t *testing.T, events []eventlog.Event, k eventlog.Kind) int64 {
	t.Helper()
	e, ok := first(events, k)
	if !ok || e.AtNs == 0 {
		t.Fatalf("no %s with a time of its own: %s", k, kinds(events))
	}
	return e.AtNs
}
