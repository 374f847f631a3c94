package main

import (
	"github.com/deadlinelab/deadlinelab/internal/app"
	"github.com/spf13/cobra"
)

func newShow() *cobra.Command {
	var width int
	cmd := &cobra.Command{
		Use:   "show NAME [NAME]",
		Short: "Print a variant's code or a scenario's file; two variants stand side by side",
		Example: `  bench show C D
  bench show operation_deadline
  bench show semaphore_wait`,
		Args:              cobra.RangeArgs(1, 2),
		ValidArgsFunction: completeShown,
		RunE: func(cmd *cobra.Command, args []string) error {
			return app.Show(streams(cmd), args, width)
		},
	}
	cmd.Flags().IntVar(&width, "width", 0, "columns, 60 to 400 (default: the terminal's; 160 when piped)")
	return cmd
}
