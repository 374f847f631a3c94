package main

import (
	"github.com/deadlinelab/deadlinelab/internal/app"
	"github.com/deadlinelab/deadlinelab/internal/exit"
	"github.com/spf13/cobra"
)

func newDoctor(code *int) *cobra.Command {
	o := app.DoctorOptions{}
	quick := false
	cmd := &cobra.Command{
		Use:   "doctor",
		Short: "Measure what this machine can show, and say what would make it better",
		Long: `doctor starts a labserver and measures, with nothing else running: how late context
deadlines are here (the noise floor of a run), how late plain and nudged timers
fire, and how late the labserver injects, one exchange at a time, 50 spread and 50
due at one instant. A longer measurement has more samples; a p99 needs 300.

Exit codes: 0 a run here can be judged, 12 it could not, 13 labserver was lost,
64 usage, 130 interrupted.`,
		Example: `  bench doctor
  bench doctor --quick
  bench doctor --seconds 60 --json`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) (err error) {
			switch {
			case quick && cmd.Flags().Changed("seconds"):
				return exit.Usagef("leave one of them out", "--quick and --seconds: found both, expected either: --quick is --seconds 3")
			case quick:
				o.Seconds = 3
			}
			*code, err = app.Doctor(cmd.Context(), streams(cmd), o)
			return err
		},
	}
	f := cmd.Flags()
	f.Float64Var(&o.Seconds, "seconds", 10, "about how long to measure, 1 to 600")
	f.BoolVar(&quick, "quick", false, "the same as --seconds 3")
	f.BoolVar(&o.JSON, "json", false, "the report as JSON")
	return cmd
}
