package labserver

import (
	"maps"
	"slices"
	"strings"

	"github.com/deadlinelab/deadlinelab/internal/control"
)

// outstanding is what the experiment still holds for each operation that it holds
// something for.
func (x *experiment) outstanding() []control.Outstanding {
	held := map[string]*control.Outstanding{}
	of := func(op string) *control.Outstanding {
		if held[op] == nil {
			held[op] = &control.Outstanding{Op: op}
		}
		return held[op]
	}
	x.running.each(func(ex *exchange) { of(ex.op.id).Busy++ })
	x.connections.each(func(c *conn) {
		if op := c.lastOp(); op != "" {
			of(op).Connections++
		}
	})
	list := make([]control.Outstanding, 0, len(held))
	for _, s := range held {
		list = append(list, *s)
	}
	slices.SortFunc(list, func(a, b control.Outstanding) int { return strings.Compare(a.Op, b.Op) })
	return list
}

func (r *running) each(visit func(*exchange)) {
	r.mu.Lock()
	defer r.mu.Unlock()
	for ex := range r.exchanges {
		visit(ex)
	}
}

// each visits the connections that were open at one moment.
func (cs *connections) each(visit func(*conn)) {
	cs.mu.Lock()
	list := slices.Collect(maps.Keys(cs.open))
	cs.mu.Unlock()
	for _, c := range list {
		visit(c)
	}
}

func (cs *connections) count() int {
	cs.mu.Lock()
	defer cs.mu.Unlock()
	return len(cs.open)
}

// lastOp is the operation that the connection served last, empty for none.
func (c *conn) lastOp() string {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.op
}
