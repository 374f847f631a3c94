package conformance

import (
	"context"
	"fmt"

	"github.com/deadlinelab/deadlinelab/internal/timeline"
)

// heldMs is until when semaphore_wait and pool_wait hold what the client needs.
const heldMs = 1100

// checkSlots: while the bench holds every slot nothing is sent, and once it has
// given them back the call goes on.
func (e *examination) checkSlots(ctx context.Context) finding {
	waited := e.waits(ctx, "semaphore_wait", "no request while the bench holds every slot")
	if waited.verdict != held {
		return waited
	}
	ops, bad := e.measure(ctx, "hang_after_the_queue")
	if bad != nil {
		return *bad
	}
	if bad := stuck(ops); bad != nil {
		return *bad
	}
	return waited
}

// queueMs is until when hang_after_the_queue holds every slot.
const queueMs = 250

// stuck finds a call that waited on when its slot was there again. One that
// gave up before may have sent nothing.
func stuck(ops []*timeline.Operation) *finding {
	for _, op := range ops {
		if op.ServerRequests == 0 && op.DurationMs > queueMs+1e3*noticed.Seconds() {
			f := failedf(fmt.Sprintf("its request once the slots are given back, at %d ms", queueMs), "%s, without a request", ending(op))
			return &f
		}
	}
	return nil
}

// checkPool: nothing is sent while another call keeps the only connection.
func (e *examination) checkPool(ctx context.Context) finding {
	return e.waits(ctx, "pool_wait", "no request while another one keeps the only connection")
}

// waits checks that nothing was sent while the client could not.
func (e *examination) waits(ctx context.Context, name, expected string) finding {
	ops, bad := e.measure(ctx, name)
	if bad != nil {
		return *bad
	}
	for _, op := range ops {
		for _, x := range exchangesOf(op) {
			if x.StartMs < heldMs-1 {
				return failedf(expected+fmt.Sprintf(", which ends at %d ms", heldMs), "a request %.1f ms after the call", x.StartMs)
			}
		}
	}
	return okf("it waited: %s, with %s", ending(ops[0]), requests(ops[0].ServerRequests))
}
