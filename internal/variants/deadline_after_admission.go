package variants

import (
	"context"
	"time"
)

func init() {
	Register(Variant{
		Name:      "deadline_after_admission",
		Label:     "C",
		Summary:   "one deadline over attempts and pauses, but it starts only when the slot is there",
		Placement: Placement{Deadline: "after_admission", SlotPer: "operation", AttemptLimit: true},
		Do:        deadlineAfterAdmission,
	})
}

func deadlineAfterAdmission(ctx context.Context, env *Env) (Response, error) {
	if err := env.Slots.Acquire(ctx); err != nil {
		return Response{}, err
	}
	defer env.Slots.Release()
	ctx, cancel := context.WithDeadlineCause(ctx, time.Now().Add(env.Policy.Budget), ErrOperationDeadline)
	defer cancel()
	return retry(ctx, env, attempt)
}
