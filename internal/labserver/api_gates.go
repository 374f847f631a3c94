package labserver

import (
	"context"
	"errors"
	"net/http"
	"time"

	"github.com/deadlinelab/deadlinelab/internal/control"
	"github.com/deadlinelab/deadlinelab/internal/fault"
)

// gateOf finds the gate of an operation that is registered.
func (s *Server) gateOf(r *http.Request) (x *experiment, g *gate, id string, err error) {
	x, err = s.find(r.PathValue("x"))
	if err != nil {
		return nil, nil, "", err
	}
	id = r.PathValue("gate")
	if !x.operations.known(id) {
		return nil, nil, "", refuse(http.StatusNotFound, "a gate's id is its operation's id", "no operation %q is registered", shorten(id))
	}
	return x, x.gates.of(id), id, nil
}

func (s *Server) releaseGate(w http.ResponseWriter, r *http.Request) error {
	x, g, id, err := s.gateOf(r)
	if err != nil {
		return err
	}
	req := control.Release{Count: 1}
	if err := decode(w, r, maxBodyBytes, &req); err != nil {
		return err
	}
	at, err := x.releaseAt(req)
	if err != nil {
		return err
	}
	if err := g.release(max(req.Count, 1), at); err != nil {
		return err
	}
	facts, _ := g.facts(id)
	return answer(w, http.StatusOK, facts)
}

// releaseAt is the instant from which the permits count.
func (x *experiment) releaseAt(r control.Release) (time.Time, error) {
	if r.Count < 0 || r.Count > mostConnections {
		return time.Time{}, refuse(http.StatusBadRequest, "", "count %d: expected 1 to %d", r.Count, mostConnections)
	}
	if r.AtNs == 0 {
		return time.Now(), nil
	}
	if ahead := r.AtNs - x.clock.Now(); r.AtNs < 0 || ahead > int64(gateLimit) {
		return time.Time{}, refuse(http.StatusBadRequest, "at_ns counts on the clock of GET /v1/clock; 0 means now",
			"at_ns %d is %d ns ahead: expected at most %d", r.AtNs, ahead, int64(gateLimit))
	}
	return x.clock.At(r.AtNs), nil
}

func (s *Server) awaitGate(w http.ResponseWriter, r *http.Request) error {
	x, g, id, err := s.gateOf(r)
	if err != nil {
		return err
	}
	q := parametersOf(r, "held", "timeout_ms")
	n, timeout := int(q.number("held", 1, 0, mostConnections)), q.timeout()
	if q.err != nil {
		return q.err
	}
	ctx, cancel := context.WithTimeout(r.Context(), timeout)
	defer cancel()
	facts, err := g.await(ctx, x.ended, id, n)
	if errors.Is(err, fault.ErrClosed) {
		return refuse(http.StatusGone, "", "experiment %q ended before gate %q: %d held, expected %d", x.name, id, facts.Held, n)
	}
	if err != nil {
		return refuse(http.StatusGatewayTimeout, "", "gate %q: %d held within %s, expected %d", id, facts.Held, timeout, n)
	}
	return answer(w, http.StatusOK, facts)
}
