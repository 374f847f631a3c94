package bench

import "github.com/deadlinelab/deadlinelab/internal/runner"

// PrintPlan prints what a run would do; no socket is opened.
func PrintPlan(s Streams, sel Selection) error {
	plan, err := sel.plan()
	if err != nil {
		return err
	}
	return runner.WriteArithmetic(s.Out, plan)
}
