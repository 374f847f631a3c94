package app

import (
	"context"

	"github.com/deadlinelab/deadlinelab/internal/clock"
	"github.com/deadlinelab/deadlinelab/internal/runner"
)

// PrintPlan prints what a run would do; no socket is opened. Adapters are asked
// what they can, since that decides what is applicable.
func PrintPlan(ctx context.Context, s Streams, sel Selection, o ClientOptions) error {
	if err := sel.readable(); err != nil {
		return err
	}
	c, err := startClients(ctx, s, clock.New(), o)
	if err != nil {
		return err
	}
	defer c.stop()
	plan, err := sel.planWith(c)
	if err != nil {
		return err
	}
	return runner.WriteArithmetic(s.text(), plan)
}
