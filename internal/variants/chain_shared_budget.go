package variants

import "context"

func init() {
	Register(Variant{
		Name:      "chain_shared_budget",
		Summary:   "three calls, each needing the one before it, under one deadline taken at t0",
		Placement: Placement{Deadline: "t0", SlotPer: "operation", AttemptLimit: true, Calls: 3, CallsAfter: "success"},
		Listed:    true,
		Do:        chainSharedBudget,
	})
}

func chainSharedBudget(ctx context.Context, env *Env) (resp Response, err error) {
	for range 3 {
		if resp, err = operationDeadline(ctx, env); err != nil {
			return resp, err
		}
	}
	return resp, nil
}
