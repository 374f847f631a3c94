package main

import (
	"github.com/deadlinelab/deadlinelab/internal/bench"
	"github.com/spf13/cobra"
)

func newList() *cobra.Command {
	var variants bool
	cmd := &cobra.Command{
		Use:   "list",
		Short: "List the scenarios with their questions, or the variants",
		Example: `  bench list
  bench list --variants`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if variants {
				return bench.ListVariants(streams(cmd))
			}
			return bench.ListScenarios(streams(cmd))
		},
	}
	cmd.Flags().BoolVar(&variants, "variants", false, "list the client variants instead")
	return cmd
}
