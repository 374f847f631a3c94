package conformance

import (
	"context"
	"fmt"
	"strings"
	"time"

	"github.com/deadlinelab/deadlinelab/internal/eventlog"
	"github.com/deadlinelab/deadlinelab/internal/exit"
	"github.com/deadlinelab/deadlinelab/internal/extclient"
	"github.com/deadlinelab/deadlinelab/internal/lab"
	"github.com/deadlinelab/deadlinelab/internal/runner"
	"github.com/deadlinelab/deadlinelab/internal/scenario"
	"github.com/deadlinelab/deadlinelab/internal/timeline"
	"github.com/deadlinelab/deadlinelab/internal/variants"
)

// checkOperations is how many operations a measured check makes.
const checkOperations = 3

// endsWithin is how soon after a cancel a call has to return.
const endsWithin = time.Second

// tries is how often a scenario is run before its operations count as invalid:
// a busy machine can make a few so.
const tries = 3

// measure runs a scenario with the client on the way that every run takes, and
// hands over its valid operations. In place of them there may be a finding.
func (e *examination) measure(ctx context.Context, name string) ([]*timeline.Operation, *finding) {
	var bad *finding
	for range tries {
		var ops []*timeline.Operation
		if ops, bad = e.attempt(ctx, name); bad == nil {
			if bad = brokeIn(name, ops); bad == nil {
				ops, bad = proven(ops)
			}
		}
		if bad == nil || bad.final {
			return ops, bad
		}
	}
	return nil, bad
}

// attempt runs a scenario once.
func (e *examination) attempt(ctx context.Context, name string) ([]*timeline.Operation, *finding) {
	s, err := scenario.ByName(name)
	if err != nil {
		return nil, wrong(err)
	}
	t, err := e.checkSession(ctx)
	if err != nil {
		return nil, wrong(err)
	}
	defer t.Dismiss(true)
	plan, err := runner.NewPlan([]*scenario.Scenario{s}, []variants.Variant{t.Variant}, runner.Options{Seed: 1, Repeats: 1, Operations: checkOperations, NoWarmup: true})
	if err != nil {
		return nil, wrong(err)
	}
	if why := plan.Cells[0].NotApplicable; why != "" {
		return nil, &finding{verdict: skipped, text: why, final: true}
	}
	ops, err := e.measured(ctx, plan)
	if err != nil {
		return nil, wrong(fmt.Errorf("the scenario %s could not be run: %w", name, err))
	}
	return ops, nil
}

// wrong is a finding that another try would not change.
func wrong(err error) *finding {
	return &finding{verdict: broken, text: err.Error(), cause: err.Error(), final: true}
}

func (e *examination) measured(ctx context.Context, plan *runner.Plan) ([]*timeline.Operation, error) {
	dir, remove, err := lab.Scratch("check")
	if err != nil {
		return nil, err
	}
	defer remove()
	m, err := lab.NewMeasurement(plan, dir, lab.MeasurementOptions{Label: "check"})
	if err != nil {
		return nil, exit.WriteError(err)
	}
	if err := m.Close(m.Record(ctx, e.upstream)); err != nil {
		return nil, err
	}
	a, err := m.Analyse()
	if err != nil {
		return nil, err
	}
	return onlyMeasured(a.Merged.Operations), nil
}

func onlyMeasured(all []*timeline.Operation) []*timeline.Operation {
	var ops []*timeline.Operation
	for _, op := range all {
		if op.Phase == eventlog.Measured {
			ops = append(ops, op)
		}
	}
	return ops
}

// brokeIn is a client that broke in the scenario: in a call, or before it got
// any; nil = it did not. It is a finding for good.
func brokeIn(name string, ops []*timeline.Operation) *finding {
	var bad *finding
	for _, op := range ops {
		why, notAsked := strings.CutPrefix(op.ClientBroke, extclient.NotAsked)
		step := "in a call under " + name
		if notAsked {
			step = "after its hello, before it was asked for a call under " + name
		}
		if why != "" && (bad == nil || !notAsked) {
			bad = &finding{verdict: broken, text: step + ": " + why, cause: why, final: true, brokeIn: name}
		}
	}
	return bad
}

// proven are the operations that prove something. One that is invalid may be so
// because the machine is busy, and is only counted if there is no other.
func proven(ops []*timeline.Operation) ([]*timeline.Operation, *finding) {
	var valid []*timeline.Operation
	why := "no operation was measured"
	for _, op := range ops {
		switch {
		case op.Valid:
			valid = append(valid, op)
		default:
			why = fmt.Sprintf("%s proves nothing: %s", op.Op, strings.Join(op.Reasons, "; "))
		}
	}
	if len(valid) > 0 && (len(valid) == len(ops) || lateFaults(ops)) {
		return valid, nil
	}
	if lateFaults(ops) {
		return nil, &finding{verdict: skipped, text: "this machine is too busy: " + why}
	}
	return nil, &finding{verdict: broken, text: why}
}

// lateFaults tells whether every invalid operation is so because what was
// scripted came late: that is the machine's doing, not the client's.
func lateFaults(ops []*timeline.Operation) bool {
	for _, op := range ops {
		for _, reason := range op.Reasons {
			if !op.Valid && !strings.Contains(reason, " ms late, more than ") {
				return false
			}
		}
	}
	return len(ops) > 0
}
