package adapter_test

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"os"
	"time"

	"github.com/deadlinelab/deadlinelab/adapter"
)

// oneClient is the client under test: net/http with a timeout for the whole call.
type oneClient struct{ http http.Client }

func newClient(first adapter.Operation) adapter.Client {
	pool := &http.Transport{}
	if first.Pool != nil {
		pool.MaxConnsPerHost = first.Pool.Limit
	}
	budget := time.Duration(first.BudgetMs * float64(time.Millisecond))
	return &oneClient{http.Client{Timeout: budget, Transport: adapter.NewTransport(pool)}}
}

// Call is what the bench measures: it returns when its caller has the control back.
func (c *oneClient) Call(ctx context.Context, op adapter.Operation, s *adapter.Session) adapter.Result {
	req, err := http.NewRequestWithContext(ctx, op.Method, op.URL, nil)
	if err != nil {
		return adapter.Result{Outcome: adapter.ClientError, Err: err}
	}
	resp, err := c.http.Do(req)
	if err != nil {
		return adapter.Result{Err: err}
	}
	defer resp.Body.Close()
	body, err := io.ReadAll(resp.Body)
	return adapter.Result{Status: resp.StatusCode, Body: body, Err: err}
}

func (c *oneClient) Close() { c.http.CloseIdleConnections() }

// A program whose main is this is a client that the bench can measure:
//
//	bench run --client 'myclient=./myclient'
func Example() {
	hello := adapter.Hello{
		Name:         "net/http with Client.Timeout",
		Version:      "1",
		Settings:     map[string]string{"timeout": "http.Client.Timeout = budget"},
		Capabilities: []string{adapter.CanCancel, adapter.CanPool, adapter.CanAttempts},
	}
	if err := adapter.Serve(context.Background(), os.Stdin, os.Stdout, hello, newClient); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	// Output:
}
