package main

import (
	"github.com/deadlinelab/deadlinelab/internal/app"
	"github.com/spf13/cobra"
)

func newWaits() *cobra.Command {
	return &cobra.Command{
		Use:   "waits [DIR]",
		Short: "Set a run of the whole ladder on one page: every wait, and what it did to each client (default: " + app.LadderRun + ")",
		Long: `waits prints docs/waits.md from the scenarios that ship with bench and a run of
them: per stall point what the upstream does, which clients keep the promise, which
do not and by how much, and the lesson. It names what the run did not measure and
what has changed since; ` + "`make ladder`" + ` measures again.`,
		Example: `  bench waits
  bench waits results/ladder > docs/waits.md`,
		Args: cobra.MaximumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			dir := app.LadderRun
			if len(args) > 0 {
				dir = args[0]
			}
			return app.Waits(streams(cmd), dir)
		},
	}
}
