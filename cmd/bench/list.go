package main

import (
	"github.com/deadlinelab/deadlinelab/internal/app"
	"github.com/deadlinelab/deadlinelab/internal/exit"
	"github.com/spf13/cobra"
)

func newList() *cobra.Command {
	var variants bool
	var rungs []string
	cmd := &cobra.Command{
		Use:   "list",
		Short: "List the scenarios by rung with their questions, or the variants",
		Long: `list prints the scenarios in the order of a request's life: a rung is the stall
point that a scenario is about, from the queue before the first attempt to what
the upstream has done when the caller is told.`,
		Example: `  bench list
  bench list --rung body
  bench list --variants`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if variants && len(rungs) > 0 {
				return exit.Usagef("leave one of them out", "--variants and --rung: a variant is on no rung")
			}
			if variants {
				return app.ListVariants(streams(cmd))
			}
			return app.ListScenarios(streams(cmd), rungs...)
		},
	}
	f := cmd.Flags()
	f.BoolVar(&variants, "variants", false, "list the client variants instead")
	rungFlag(cmd, &rungs, "only the scenarios on these rungs, comma separated")
	return cmd
}
