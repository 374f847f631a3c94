package doctor

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"sync"
	"time"

	"github.com/deadlinelab/deadlinelab/internal/clock"
	"github.com/deadlinelab/deadlinelab/internal/control"
	"github.com/deadlinelab/deadlinelab/internal/eventlog"
)

// InFlight is how many exchanges are under way at most: what needs open files.
const InFlight = 50

const (
	seenDelay    = 800 * time.Millisecond
	singleDelay  = 25 * time.Millisecond
	eventsAtOnce = 10_000
	quietGap     = 5 * time.Millisecond // between two looks at what still runs
)

// injector asks one labserver for exchanges that are due at known instants.
type injector struct {
	control *control.Client
	http    *http.Client
}

type dialFunc func(ctx context.Context, network, addr string) (net.Conn, error)

// newInjector never goes through a proxy. dial nil = plain TCP.
func newInjector(c *control.Client, dial dialFunc) *injector {
	return &injector{control: c, http: &http.Client{Transport: &http.Transport{Proxy: nil, DialContext: dial, MaxIdleConnsPerHost: InFlight}}}
}

func (i *injector) close() { i.http.CloseIdleConnections() }

// scenarioOf is a scenario around one upstream; nothing but that is used.
func scenarioOf(upstream string) json.RawMessage {
	text := `name: doctor
question: How late does this labserver inject?
lesson: The lateness of the injector is part of every figure.
contrast: [single_attempt, operation_deadline]
operation: {budget_ms: 1000}
pool: {limit: 1}
variants: [single_attempt, operation_deadline]
expect:
  single_attempt: {outcome: success}
  operation_deadline: {outcome: success}
scenario: ` + upstream
	document, _ := json.Marshal(text) // a string always can be
	return document
}

// experiment creates one with a single operation, lets use it, and returns its events.
func (i *injector) experiment(ctx context.Context, upstream string, phase eventlog.Phase, use func(x string, op control.Operation) error) ([]eventlog.Event, error) {
	x, err := i.control.Create(ctx, control.ExperimentRequest{Scenario: scenarioOf(upstream)})
	if err != nil {
		return nil, err
	}
	defer i.control.Delete(context.WithoutCancel(ctx), x.Name)
	ops, err := i.control.Register(ctx, x.Name, []control.OperationRequest{{Op: "doctor", Phase: phase}})
	if err != nil {
		return nil, err
	}
	if err := use(x.Name, ops[0]); err != nil {
		return nil, err
	}
	if err := i.waitForEvents(ctx, x.Name); err != nil {
		return nil, err
	}
	return i.events(ctx, x.Name)
}

// waitForEvents waits until no handler runs any more: a client has its answer before
// the server has written it down.
func (i *injector) waitForEvents(ctx context.Context, x string) error {
	for {
		known, err := i.control.Experiment(ctx, x)
		if err != nil || known.Busy == 0 {
			return err
		}
		pause(ctx, quietGap)
	}
}

func (i *injector) events(ctx context.Context, x string) (events []eventlog.Event, err error) {
	for after := uint64(0); ; {
		page, err := i.control.Events(ctx, x, after, eventsAtOnce)
		if err != nil {
			return nil, err
		}
		for _, line := range page.Events {
			e, err := eventlog.Decode(line)
			if err != nil {
				return nil, err
			}
			events = append(events, e)
		}
		if after = page.Next; after >= page.LastSeq {
			return events, nil
		}
	}
}

// get is one request; it returns how long the whole answer took.
func (i *injector) get(ctx context.Context, url string) (time.Duration, error) {
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, url, nil)
	if err != nil {
		return 0, err
	}
	start := time.Now()
	res, err := i.http.Do(req)
	if err != nil {
		return 0, err
	}
	defer res.Body.Close()
	if _, err := io.Copy(io.Discard, res.Body); err != nil {
		return 0, err
	}
	took := time.Since(start)
	if res.StatusCode != http.StatusOK {
		return 0, fmt.Errorf("labserver answered %s, expected 200", res.Status)
	}
	return took, nil
}

// single has one exchange at a time.
func (i *injector) single(ctx context.Context, during time.Duration) (*Lateness, error) {
	events, err := i.experiment(ctx, slowHeaders(singleDelay), eventlog.Measured, func(_ string, op control.Operation) error {
		for end := time.Now().Add(during); time.Now().Before(end); {
			if _, err := i.get(ctx, op.BaseURL); err != nil {
				return err
			}
		}
		return nil
	})
	return sumUp(firedLate(events)), err
}

func slowHeaders(delay time.Duration) string {
	return fmt.Sprintf("{type: slow_headers, response_delay_ms: %g}", clock.InMs(delay))
}

// firedLate is how long after its due instant each first write had returned.
func firedLate(events []eventlog.Event) (ms []float64) {
	for _, e := range events {
		if e.Kind == eventlog.FaultFired {
			ms = append(ms, e.LateMs)
		}
	}
	return ms
}

// spread has InFlight exchanges at different instants, each rounds times on a
// connection of its own; the first round opens the connections and is left out
// of what the client saw.
func (i *injector) spread(ctx context.Context, rounds int) (written, seen *Lateness, err error) {
	var mu sync.Mutex
	var took []float64
	events, err := i.experiment(ctx, slowHeaders(seenDelay), eventlog.Measured, func(_ string, op control.Operation) error {
		return together(func(n int) error {
			pause(ctx, seenDelay*time.Duration(n)/InFlight)
			for round := range rounds + 1 {
				d, err := i.get(ctx, op.BaseURL)
				if err != nil {
					return err
				}
				if round > 0 {
					mu.Lock()
					took = append(took, clock.InMs(d-seenDelay))
					mu.Unlock()
				}
			}
			return nil
		})
	})
	return sumUp(firedLate(events)), sumUp(took), err
}

// together runs f InFlight times at once and returns one of its errors.
func together(f func(n int) error) error {
	failed := make(chan error, InFlight)
	var all sync.WaitGroup
	for n := range InFlight {
		all.Go(func() {
			if err := f(n); err != nil {
				failed <- err
			}
		})
	}
	all.Wait()
	select {
	case err := <-failed:
		return err
	default:
		return nil
	}
}
