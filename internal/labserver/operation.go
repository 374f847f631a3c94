package labserver

import (
	"fmt"
	"net/http"
	"strings"
	"sync"

	"github.com/deadlinelab/deadlinelab/internal/control"
	"github.com/deadlinelab/deadlinelab/internal/eventlog"
)

// operation is a registered operation: its script's position is the number of
// exchanges it has had.
type operation struct {
	id     string
	phase  eventlog.Phase
	marker string // must be part of a complete successful body

	exchanges int       // guarded by operations.mu
	endpoint  *endpoint // where its connections meet something; nil for most. Guarded by experiment.registering
}

// operations are those of one experiment.
type operations struct {
	auto bool // any id registers itself: for use by hand

	mu      sync.Mutex
	byID    map[string]*operation
	invited int // operations made up for requests without an id
}

// register adds all of rs or none. Registering again is fine as long as the
// phase is the same.
func (o *operations) register(rs []control.OperationRequest) ([]*operation, error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	added := make(map[string]eventlog.Phase, len(rs))
	for i := range rs {
		if err := o.check(&rs[i], added); err != nil {
			return nil, err
		}
	}
	list := make([]*operation, len(rs))
	for i, r := range rs {
		list[i] = o.add(r.Op, r.Phase)
	}
	return list, nil
}

// check fills in the default phase and notes a new operation in added. The
// caller holds mu.
func (o *operations) check(r *control.OperationRequest, added map[string]eventlog.Phase) error {
	if r.Phase == "" {
		r.Phase = eventlog.Measured
	}
	if err := checkOperation(r); err != nil {
		return err
	}
	phase, known := added[r.Op]
	if op := o.byID[r.Op]; op != nil {
		phase, known = op.phase, true
	}
	switch {
	case known && phase != r.Phase:
		return refuse(http.StatusConflict, "every operation needs an id of its own", "operation %q is registered with phase %s", r.Op, phase)
	case known:
		return nil
	case len(o.byID)+len(added) >= maxOperations:
		return refuse(http.StatusBadRequest, "use another experiment", "more than %d operations", maxOperations)
	}
	added[r.Op] = r.Phase
	return nil
}

// checkOperation looks at one request alone.
func checkOperation(r *control.OperationRequest) error {
	switch r.Phase {
	case eventlog.Warmup, eventlog.Measured, eventlog.Helper, eventlog.Probe, eventlog.Startup:
	default:
		return refuse(http.StatusBadRequest, "", "phase %q: expected warmup, measured, helper, probe or startup", r.Phase)
	}
	if !validID(r.Op) {
		return refuse(http.StatusBadRequest, "", "op %q: expected %s", r.Op, idPattern)
	}
	return nil
}

// add returns the operation, made if need be. The caller holds mu.
func (o *operations) add(id string, phase eventlog.Phase) *operation {
	op := o.byID[id]
	if op == nil {
		op = &operation{id: id, phase: phase, marker: "deadlinelab:" + id}
		o.byID[id] = op
	}
	return op
}

// next finds the operation that a request's path names and counts its
// exchange. The id is returned as far as it can be told; why says what is wrong.
func (o *operations) next(path string) (op *operation, number int, id, why string) {
	o.mu.Lock()
	defer o.mu.Unlock()
	id, why = o.identify(path)
	if why != "" {
		return nil, 0, id, why
	}
	op = o.byID[id]
	if op == nil && !o.auto {
		return nil, 0, id, fmt.Sprintf("operation %q is not registered", id)
	}
	if op == nil && len(o.byID) >= maxOperations {
		return nil, 0, id, fmt.Sprintf("more than %d operations: start labserver anew", maxOperations)
	}
	if op == nil {
		op = o.add(id, eventlog.Measured)
	}
	op.exchanges++
	return op, op.exchanges, id, ""
}

// identify reads the id out of /op/<id>/…. By hand, a path without it gets an
// operation per request. The caller holds mu.
func (o *operations) identify(path string) (id, why string) {
	rest, ok := strings.CutPrefix(path, "/op/")
	if !ok && o.auto {
		o.invited++
		return fmt.Sprintf("request-%d", o.invited), ""
	}
	if !ok {
		return "", fmt.Sprintf("path %q names no operation: expected /op/<id>/", shorten(path))
	}
	id, _, _ = strings.Cut(rest, "/")
	if o.byID[id] == nil && !validID(id) {
		return "", fmt.Sprintf("operation id %q: expected %s", shorten(id), idPattern)
	}
	return id, ""
}

// known tells whether an operation of that id is registered.
func (o *operations) known(id string) bool {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.byID[id] != nil
}

// count is how many are known.
func (o *operations) count() int {
	o.mu.Lock()
	defer o.mu.Unlock()
	return len(o.byID)
}

// requests counts the exchanges of every operation.
func (o *operations) requests() map[string]int {
	o.mu.Lock()
	defer o.mu.Unlock()
	counts := make(map[string]int, len(o.byID))
	for id, op := range o.byID {
		counts[id] = op.exchanges
	}
	return counts
}

// shorten keeps a foreign text quotable.
func shorten(s string) string { return cut(s, 120) }

func cut(s string, most int) string {
	if len(s) > most {
		return s[:most] + "…"
	}
	return s
}
