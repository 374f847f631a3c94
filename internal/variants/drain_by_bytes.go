package variants

import (
	"context"
	"io"
	"net/http"
)

func init() {
	Register(Variant{
		Name:      "drain_by_bytes",
		Summary:   "reads up to 64 KiB of a failed answer to keep its connection, however long that takes, before it retries",
		Placement: Placement{Deadline: "t0", SlotPer: "operation", HeaderLimit: true, UnboundAttempt: true},
		Listed:    true,
		Do:        drainByBytes,
		Tune:      limitHeaders,
	})
}

func drainByBytes(caller context.Context, env *Env) (Response, error) {
	ctx, cancel := context.WithDeadlineCause(caller, env.Start.Add(env.Policy.Budget), ErrOperationDeadline)
	defer cancel()
	if err := env.Slots.Acquire(ctx); err != nil {
		return Response{}, err
	}
	defer env.Slots.Release()
	return retry(ctx, env, func(_ context.Context, env *Env) (Response, error) {
		within := *env
		within.Policy.Limits = Limits{}
		resp, err := send(caller, &within, &http.Client{Transport: env.Transport})
		if err != nil {
			return Response{}, err
		}
		if is2xx(resp.StatusCode) {
			return receive(caller, env, resp)
		}
		io.CopyN(io.Discard, resp.Body, 64<<10)
		resp.Body.Close()
		return Response{}, Verify(Response{Status: resp.StatusCode, Header: resp.Header}, "")
	})
}
