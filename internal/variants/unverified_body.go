package variants

import (
	"context"
)

func init() {
	Register(Variant{
		Name:      "unverified_body",
		Summary:   "the client of operation_deadline, but any 2xx is a success to it, whatever the body holds",
		Placement: Placement{Deadline: "t0", SlotPer: "operation", AttemptLimit: true, Unverified: true},
		Listed:    true,
		Do:        unverifiedBody,
	})
}

func unverifiedBody(ctx context.Context, env *Env) (Response, error) {
	unchecked := *env
	unchecked.Marker = ""
	return operationDeadline(ctx, &unchecked)
}
