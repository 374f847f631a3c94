package main

import (
	"github.com/deadlinelab/deadlinelab/internal/app"
	"github.com/deadlinelab/deadlinelab/internal/lab"
	"github.com/spf13/cobra"
)

func newPlan() *cobra.Command {
	var sel lab.Selection
	var clients lab.ClientOptions
	cmd := &cobra.Command{
		Use:   "plan [SCENARIO...]",
		Short: "Print what a run would do, with the arithmetic of every wait; opens no socket",
		Example: `  bench plan slow_headers
  bench plan --variant C,D
  bench plan --rung body
  bench plan --exec 'curl -sS --max-time {budget_s} {url}'`,
		ValidArgsFunction: completeScenarios(anyNumber),
		RunE: func(cmd *cobra.Command, args []string) error {
			sel.Scenarios = args
			return app.PrintPlan(cmd.Context(), streams(cmd), sel, clients)
		},
	}
	selectionFlags(cmd, &sel)
	clientFlags(cmd, &clients)
	return cmd
}
