package runner

import (
	"github.com/deadlinelab/deadlinelab/adapter"
	"github.com/deadlinelab/deadlinelab/internal/eventlog"
	"github.com/deadlinelab/deadlinelab/internal/scenario"
	"github.com/deadlinelab/deadlinelab/internal/variants"
)

// callExternal carries an item out through a client in a process of its own.
// What that client keeps for the item's callers it may forget afterwards.
func (r *run) callExternal(it Item, f *variants.External) error {
	defer r.forget(it, f)
	return r.carryOut(it, func(id string, phase eventlog.Phase, caller int) holder {
		return r.externalOperation(it, f, id, phase, caller)
	})
}

func (r *run) externalOperation(it Item, f *variants.External, id string, phase eventlog.Phase, caller int) *externalOperation {
	s := r.plan.byName[it.Scenario]
	o := &externalOperation{underway: r.underway(it, id, phase), caller: f.Caller}
	o.start.Client, o.start.Blind, o.start.Heard = f.Kind, !f.Able(adapter.CanAttempts), f.Clock == adapter.ClockNone
	o.call = variants.Call{Op: id, Client: clientID(s, it, caller), Slots: s.Slots}
	if s.Pool != nil {
		o.call.PoolLimit, o.call.PoolPerHost = s.Pool.Limit, s.Pool.LimitPerHost
	}
	return o
}

// clientID is what the calls of one caller have in common with its helper and
// its probe, and with those of the other callers if they share anything.
func clientID(s *scenario.Scenario, it Item, caller int) string {
	if s.Shares(scenario.ShareTransport) || s.Shares(scenario.ShareSlots) {
		return it.Op
	}
	return it.Ops()[caller]
}

func (r *run) forget(it Item, f *variants.External) {
	s, forgotten := r.plan.byName[it.Scenario], map[string]bool{}
	for caller := range it.Callers {
		if id := clientID(s, it, caller); !forgotten[id] {
			forgotten[id] = true
			f.Caller.Forget(id)
		}
	}
}
