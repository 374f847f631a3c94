package variants

import (
	"context"
	"time"
)

func init() {
	Register(Variant{
		Name:      "outer_retry",
		Summary:   "a caller that calls the client of operation_deadline again when it fails: the second call gets a whole new budget",
		Placement: Placement{Deadline: "t0", SlotPer: "operation", AttemptLimit: true, Calls: 2, CallsAfter: "failure", OwnBudgets: true},
		Listed:    true,
		Do:        outerRetry,
	})
}

func outerRetry(ctx context.Context, env *Env) (Response, error) {
	resp, err := operationDeadline(ctx, env)
	if err == nil || ctx.Err() != nil {
		return resp, err
	}
	again := *env
	again.Start = time.Now()
	return operationDeadline(ctx, &again)
}
