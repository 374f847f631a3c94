package main

import (
	"github.com/deadlinelab/deadlinelab/internal/analysis"
	"github.com/deadlinelab/deadlinelab/internal/app"
	"github.com/spf13/cobra"
)

func newAnalyze(code *int) *cobra.Command {
	var check bool
	cmd := &cobra.Command{
		Use:   "analyze [DIR]",
		Short: "Rebuild operations.jsonl and summary.json of a run from its logs (default: results/latest)",
		Long: `analyze reads plan.yaml, client.jsonl and server.jsonl of a run directory and
rebuilds operations.jsonl and summary.json byte for byte. It also reads a run
that was killed: every finished operation counts.

Exit codes: 0 rebuilt, 13 the run is incomplete, 64 unreadable; with --check
also the verdict's (10, 12).`,
		Example: `  bench analyze results/latest
  bench analyze results/20260101T120000Z-core --check`,
		Args: cobra.MaximumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) (err error) {
			*code, err = analysis.Analyze(streams(cmd), directory(args), check)
			return err
		},
	}
	cmd.Flags().BoolVar(&check, "check", false, "exit with the verdict's code")
	return cmd
}

// directory is the run directory a command works on.
func directory(args []string) string {
	if len(args) == 0 {
		return app.Latest
	}
	return args[0]
}
