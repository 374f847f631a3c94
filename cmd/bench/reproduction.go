package main

import (
	"github.com/deadlinelab/deadlinelab/internal/app"
	"github.com/spf13/cobra"
)

func newReproduction() *cobra.Command {
	return &cobra.Command{
		Use:     "reproduction [DIR]",
		Short:   "Set a run of the core scenarios against the published figures, as markdown",
		Example: `  bench reproduction results/reference > docs/reproduction.md`,
		Args:    cobra.MaximumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			return app.Reproduction(streams(cmd), directory(args))
		},
	}
}
