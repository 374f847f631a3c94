package runner

import (
	"errors"
	"fmt"

	"github.com/deadlinelab/deadlinelab/internal/eventlog"
)

// maker builds an operation of one item on the client of one of its callers,
// from 0.
type maker func(id string, phase eventlog.Phase, caller int) holder

// carryOut is one item: what is arranged around it, its operations, the probe.
func (r *run) carryOut(it Item, build maker) error {
	x := r.experiments[it.Scenario]
	a := &arranged{run: r, x: x, around: x.scenario.Fault.Arrangement(), failed: make(chan error, 2),
		callers: callersOfItem(it, build), helper: build(it.Helper, eventlog.Helper, 0)}
	a.main = a.callers[0].common()
	err := a.arrangeAndPerform(it)
	a.helpers.Wait()
	select {
	case late := <-a.failed:
		err = errors.Join(err, late)
	default:
	}
	if err == nil && a.main.stopped.Load() {
		build(it.Probe, eventlog.Probe, 0).perform(r.work)
	}
	return err
}

// arrangeAndPerform tells what could not be arranged, unless it is the client
// that could not: then its operations are refused, and the run goes on.
func (a *arranged) arrangeAndPerform(it Item) error {
	err := a.prepare(a.run.work)
	if err == nil {
		a.perform(a.run.work)
		return nil
	}
	defer a.run.count(-it.Callers, it.Callers)
	if unheld := (*notHeldError)(nil); errors.As(err, &unheld) {
		for _, c := range a.callers {
			c.common().refuse(unheld)
		}
		return nil
	}
	a.run.abandon(lostBy(fmt.Errorf("what surrounds %s could not be arranged: %w", it.Op, err)))
	return err
}

// callersOfItem builds the operations of an item, one for each caller.
func callersOfItem(it Item, build maker) []performer {
	list := make([]performer, it.Callers)
	for i, id := range it.Ops() {
		list[i] = build(id, it.Phase, i)
		if start := &list[i].common().start; it.Callers > 1 {
			start.Group, start.Caller = it.Op, i+1
		}
	}
	return list
}

// throughVariant carries an item out through clients of the bench's own.
func (r *run) throughVariant(it Item, clients []*client) error {
	return r.carryOut(it, func(id string, phase eventlog.Phase, caller int) holder {
		return r.operation(it, id, phase, clients[caller])
	})
}

func closeClients(list []*client) {
	for _, c := range list {
		c.close()
	}
}
