package labserver

import (
	"net/http"

	"github.com/deadlinelab/deadlinelab/internal/control"
)

func (s *Server) registerOne(w http.ResponseWriter, r *http.Request) error {
	x, err := s.find(r.PathValue("x"))
	if err != nil {
		return err
	}
	var req control.OperationRequest
	if err := decode(w, r, maxBodyBytes, &req); err != nil {
		return err
	}
	id := r.PathValue("op")
	if req.Op != "" && req.Op != id {
		return refuse(http.StatusBadRequest, "leave op out: the path names it", "op %q differs from the path's %q", req.Op, id)
	}
	req.Op = id
	ops, err := x.register([]control.OperationRequest{req})
	if err != nil {
		return err
	}
	return answer(w, http.StatusOK, x.address(ops[0]))
}

func (s *Server) registerMany(w http.ResponseWriter, r *http.Request) error {
	x, err := s.find(r.PathValue("x"))
	if err != nil {
		return err
	}
	var bulk control.Bulk
	if err := decode(w, r, maxBulkBytes, &bulk); err != nil {
		return err
	}
	ops, err := x.register(bulk.Operations)
	if err != nil {
		return err
	}
	a := control.BulkAnswer{Operations: make([]control.Operation, len(ops))}
	for i, op := range ops {
		a.Operations[i] = x.address(op)
	}
	return answer(w, http.StatusOK, a)
}

// register makes operations known, each with an address of its own where the
// scenario's fault acts on connections.
func (x *experiment) register(rs []control.OperationRequest) ([]*operation, error) {
	x.registering.Lock()
	defer x.registering.Unlock()
	ops, err := x.operations.register(rs)
	if err != nil {
		return nil, err
	}
	x.recorder.RetainAtLeast(mostKept + min(keptFor*x.operations.count(), keptForAll))
	for _, op := range ops {
		if op.endpoint != nil {
			continue
		}
		if op.endpoint, err = x.endpointOf(op); err != nil {
			return nil, err
		}
	}
	return ops, nil
}
