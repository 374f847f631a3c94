package variants

import (
	"context"
	"time"
)

func init() {
	Register(Variant{
		Name:      "chain_own_budgets",
		Summary:   "three calls, each needing the one before it; each gets the whole budget",
		Placement: Placement{Deadline: "t0", SlotPer: "operation", AttemptLimit: true, Calls: 3, CallsAfter: "success", OwnBudgets: true},
		Listed:    true,
		Do:        chainOwnBudgets,
	})
}

func chainOwnBudgets(ctx context.Context, env *Env) (resp Response, err error) {
	call := *env
	for range 3 {
		if resp, err = operationDeadline(ctx, &call); err != nil {
			return resp, err
		}
		call.Start = time.Now()
	}
	return resp, nil
}
