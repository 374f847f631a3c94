package app

import (
	"context"

	"github.com/deadlinelab/deadlinelab/internal/clock"
	"github.com/deadlinelab/deadlinelab/internal/console"
	"github.com/deadlinelab/deadlinelab/internal/lab"
	"github.com/deadlinelab/deadlinelab/internal/runner"
)

// PrintPlan prints what a run would do; no socket is opened. Adapters are asked
// what they can, since that decides what is applicable.
func PrintPlan(ctx context.Context, s console.Streams, sel lab.Selection, o lab.ClientOptions) error {
	if err := sel.Readable(); err != nil {
		return err
	}
	c, err := lab.StartClients(ctx, s, clock.New(), o)
	if err != nil {
		return err
	}
	defer c.Stop()
	plan, err := sel.PlanWith(c)
	if err != nil {
		return err
	}
	return runner.WriteArithmetic(s.Text(), plan)
}
