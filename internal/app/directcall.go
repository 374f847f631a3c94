package app

import (
	"context"
	"fmt"
	"sync"
	"time"

	"github.com/deadlinelab/deadlinelab/internal/control"
	"github.com/deadlinelab/deadlinelab/internal/eventlog"
	"github.com/deadlinelab/deadlinelab/internal/runner"
	"github.com/deadlinelab/deadlinelab/internal/scenario"
	"github.com/deadlinelab/deadlinelab/internal/variants"
)

// directCall is a call that is made without a run around it.
type directCall struct {
	control.Operation
	client string
	ending variants.Ending
	took   time.Duration
}

// operations registers n operations of a scenario; end closes its experiment.
func (u *upstream) operations(ctx context.Context, s *scenario.Scenario, n int) (calls []*directCall, end func(), err error) {
	document, err := control.Document(s)
	if err != nil {
		return nil, nil, err
	}
	x, err := u.client.Create(ctx, control.ExperimentRequest{Scenario: document, DataAddr: runner.DataAddr(u.host)})
	if err != nil {
		return nil, nil, err
	}
	end = func() { _, _ = u.client.Delete(context.WithoutCancel(ctx), x.Name) }
	var asked []control.OperationRequest
	for i := range n {
		asked = append(asked, control.OperationRequest{Op: fmt.Sprintf("check-%02d", i+1)})
	}
	registered, err := u.client.Register(ctx, x.Name, asked)
	for i, op := range registered {
		calls = append(calls, &directCall{Operation: op, client: fmt.Sprintf("client-%02d", i+1)})
	}
	return calls, end, err
}

// make makes the call with time enough for any answer.
func (c *directCall) make(ctx context.Context, caller variants.Caller, budget time.Duration) {
	ctx, cancel := context.WithTimeoutCause(ctx, 15*time.Second, variants.ErrCap)
	defer cancel()
	began := time.Now()
	c.ending = caller.Call(ctx, &variants.Call{
		Op: c.Op, Client: c.client, URL: c.BaseURL, Marker: c.Marker, Policy: variants.Policy{Budget: budget, MaxAttempts: 1},
		Began: func(time.Time) {}, Heard: func(eventlog.Event) {}})
	c.took = time.Since(began)
}

// makeAll makes calls at once, and is how long the longest took.
func makeAll(ctx context.Context, calls []*directCall, caller variants.Caller, budget time.Duration) (longest time.Duration) {
	var all sync.WaitGroup
	for _, c := range calls {
		all.Go(func() { c.make(ctx, caller, budget) })
	}
	all.Wait()
	for _, c := range calls {
		longest = max(longest, c.took)
	}
	return longest
}
