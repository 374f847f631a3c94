package lab

import (
	"context"
	"fmt"
	"sync"
	"time"

	"github.com/deadlinelab/deadlinelab/internal/control"
	"github.com/deadlinelab/deadlinelab/internal/eventlog"
	"github.com/deadlinelab/deadlinelab/internal/variants"
)

// DirectCall is a call that is made without a run around it.
type DirectCall struct {
	control.Operation
	Client string
	Ending variants.Ending
	took   time.Duration
}

// Make makes the call with time enough for any answer.
func (c *DirectCall) Make(ctx context.Context, caller variants.Caller, budget time.Duration) {
	ctx, cancel := context.WithTimeoutCause(ctx, 15*time.Second, variants.ErrCap)
	defer cancel()
	began := time.Now()
	c.Ending = caller.Call(ctx, &variants.Call{
		Op: c.Op, Client: c.Client, URL: c.BaseURL, Marker: c.Marker, Policy: variants.Policy{Budget: budget, MaxAttempts: 1},
		Began: func(time.Time) {}, Heard: func(eventlog.Event) {}})
	c.took = time.Since(began)
}

// MakeAll makes calls at once, and is how long the longest took.
func MakeAll(ctx context.Context, calls []*DirectCall, caller variants.Caller, budget time.Duration) (longest time.Duration) {
	var all sync.WaitGroup
	for _, c := range calls {
		all.Go(func() { c.Make(ctx, caller, budget) })
	}
	all.Wait()
	for _, c := range calls {
		longest = max(longest, c.took)
	}
	return longest
}

// Milliseconds is d with a tenth of a millisecond: "12.3 ms".
func Milliseconds(d time.Duration) string { return fmt.Sprintf("%.1f ms", d.Seconds()*1e3) }
