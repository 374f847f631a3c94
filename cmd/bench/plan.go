package main

import (
	"github.com/deadlinelab/deadlinelab/internal/bench"
	"github.com/spf13/cobra"
)

func newPlan() *cobra.Command {
	var sel bench.Selection
	cmd := &cobra.Command{
		Use:   "plan [SCENARIO…]",
		Short: "Print what a run would do, with the arithmetic of every wait; opens no socket",
		Example: `  bench plan slow_headers
  bench plan --variant C,D
  bench plan --rung body`,
		ValidArgsFunction: completeScenarios,
		RunE: func(cmd *cobra.Command, args []string) error {
			sel.Scenarios = args
			return bench.PrintPlan(streams(cmd), sel)
		},
	}
	selectionFlags(cmd, &sel)
	return cmd
}
