package variants

import (
	"context"
	"errors"

	"github.com/deadlinelab/deadlinelab/internal/eventlog"
)

func init() {
	Register(Variant{
		Name:      "refusing",
		Summary:   "the client of operation_deadline without a queue: when no slot is free it says so at once",
		Placement: Placement{Deadline: "t0", SlotPer: "operation", AttemptLimit: true, Queue: "none"},
		Listed:    true,
		Do:        refusing,
	})
}

func refusing(ctx context.Context, env *Env) (Response, error) {
	ctx, cancel := context.WithDeadlineCause(ctx, env.Start.Add(env.Policy.Budget), ErrOperationDeadline)
	defer cancel()
	if err := overdue(ctx); err != nil {
		return Response{}, err
	}
	if !env.Slots.TryAcquire() {
		return Response{}, &Error{Outcome: eventlog.Refused, Err: errors.New("every slot is taken")}
	}
	defer env.Slots.Release()
	return retry(ctx, env, attempt)
}
