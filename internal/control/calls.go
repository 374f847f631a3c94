package control

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strconv"
	"time"

	"github.com/deadlinelab/deadlinelab/internal/eventlog"
)

// Health tells API number, version and how many experiments are live.
func (c *Client) Health(ctx context.Context) (Health, error) {
	var h Health
	err := c.call(ctx, http.MethodGet, "/v1/health", nil, &h)
	return h, err
}

// Clock reads the server's clock: one exchange of the alignment.
func (c *Client) Clock(ctx context.Context) (ClockReading, error) {
	var r ClockReading
	err := c.call(ctx, http.MethodGet, "/v1/clock", nil, &r)
	return r, err
}

// Create starts an experiment; its data listener is live when Create returns.
func (c *Client) Create(ctx context.Context, r ExperimentRequest) (Experiment, error) {
	var x Experiment
	err := c.call(ctx, http.MethodPost, "/v1/experiments", r, &x)
	return x, err
}

// Experiment tells what is known of experiment x.
func (c *Client) Experiment(ctx context.Context, x string) (Experiment, error) {
	var e Experiment
	err := c.call(ctx, http.MethodGet, experiment(x), nil, &e)
	return e, err
}

// Delete ends experiment x and returns what its log must hold.
func (c *Client) Delete(ctx context.Context, x string) (Tally, error) {
	var t Tally
	err := c.call(ctx, http.MethodDelete, experiment(x), nil, &t)
	return t, err
}

// Register makes operations known, in one call, and returns them in the order
// asked. Either all are registered or none.
func (c *Client) Register(ctx context.Context, x string, ops []OperationRequest) ([]Operation, error) {
	var a BulkAnswer
	err := c.call(ctx, http.MethodPut, experiment(x, "operations"), Bulk{Operations: ops}, &a)
	if err == nil && len(a.Operations) != len(ops) {
		err = fmt.Errorf("labserver: %d operations registered, %d answered", len(ops), len(a.Operations))
	}
	return a.Operations, err
}

// Release lets exchanges pass the gate, now or at r.AtNs. It may come before
// they are held.
func (c *Client) Release(ctx context.Context, x, gate string, r Release) error {
	return c.call(ctx, http.MethodPost, experiment(x, "gates", gate, "release"), r, nil)
}

// Held waits until n exchanges are held at the gate at once, for at most timeout,
// which is 0 to 10 minutes: then the error is an APIError that TimedOut.
func (c *Client) Held(ctx context.Context, x, gate string, n int, timeout time.Duration) (Gate, error) {
	q := url.Values{"held": {strconv.Itoa(n)}, "timeout_ms": {milliseconds(timeout)}}
	var g Gate
	err := c.call(ctx, http.MethodGet, experiment(x, "gates", gate)+"?"+q.Encode(), nil, &g)
	return g, err
}

// Events returns at most limit events with seq > after; limit is 1 to 10,000.
func (c *Client) Events(ctx context.Context, x string, after uint64, limit int) (Events, error) {
	q := url.Values{"after": {strconv.FormatUint(after, 10)}, "limit": {strconv.Itoa(limit)}}
	var e Events
	err := c.call(ctx, http.MethodGet, experiment(x, "events")+"?"+q.Encode(), nil, &e)
	return e, err
}

// Stream returns the events with seq > after as JSON lines, each as soon as it
// happens. It ends after the last event of the experiment. Close it.
func (c *Client) Stream(ctx context.Context, x string, after uint64) (io.ReadCloser, error) {
	q := url.Values{"after": {strconv.FormatUint(after, 10)}}
	return c.open(ctx, http.MethodGet, experiment(x, "events", "stream")+"?"+q.Encode(), nil)
}

// Take is Stream from the first event on for a reader that keeps what it gets:
// labserver forgets each event once it is written, so that a long run does not
// fill its memory. Other readers of the experiment miss those events. A
// labserver that does not know it, of an earlier version, keeps them all.
func (c *Client) Take(ctx context.Context, x string) (io.ReadCloser, error) {
	body, err := c.open(ctx, http.MethodPost, experiment(x, "events", "stream"), nil)
	var refused *APIError
	if errors.As(err, &refused) && refused.Status == http.StatusNotFound {
		return c.Stream(ctx, x, 0)
	}
	return body, err
}

// Wait returns the count-th event (from 1) of that kind, past or future; an
// empty op means any operation. timeout is as in Held.
func (c *Client) Wait(ctx context.Context, x string, kind eventlog.Kind, op string, count int, timeout time.Duration) (eventlog.Event, error) {
	q := url.Values{"event": {string(kind)}, "count": {strconv.Itoa(count)}, "timeout_ms": {milliseconds(timeout)}}
	if op != "" {
		q.Set("op", op)
	}
	body, err := c.open(ctx, http.MethodGet, experiment(x, "events", "wait")+"?"+q.Encode(), nil)
	if err != nil {
		return eventlog.Event{}, err
	}
	defer body.Close()
	line, err := io.ReadAll(io.LimitReader(body, MaxAnswerBytes))
	if err != nil {
		return eventlog.Event{}, fmt.Errorf("labserver: reading the event: %w", err)
	}
	return eventlog.Decode(line)
}

func milliseconds(d time.Duration) string {
	return strconv.FormatFloat(d.Seconds()*1e3, 'f', -1, 64)
}
