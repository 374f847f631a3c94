package main

import (
	"github.com/deadlinelab/deadlinelab/internal/app"
	"github.com/spf13/cobra"
)

func newValidate(code *int) *cobra.Command {
	return &cobra.Command{
		Use:   "validate [DIR|FILE.yaml|SCENARIO...]",
		Short: "Check run directories and scenario files: schema and invariants (default: results/latest)",
		Long: `validate checks a run directory's logs (sequence without gaps, one outcome per
operation, one end per attempt, parts that add up, every exchange explained) and
that operations.jsonl and summary.json are what the logs say; or a scenario file.

Exit codes: 0 valid, 10 an invariant is violated, 64 unreadable.`,
		Example: `  bench validate results/reference
  bench validate my_scenario.yaml`,
		ValidArgsFunction: completeScenarios(anyNumber),
		RunE: func(cmd *cobra.Command, args []string) (err error) {
			if len(args) == 0 {
				args = []string{app.Latest}
			}
			*code, err = app.Validate(streams(cmd), args)
			return err
		},
	}
}
