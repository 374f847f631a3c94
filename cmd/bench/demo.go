package main

import (
	"github.com/deadlinelab/deadlinelab/internal/app"
	"github.com/spf13/cobra"
)

func newDemo(code *int) *cobra.Command {
	var o app.DemoOptions
	cmd := &cobra.Command{
		Use:   "demo [SCENARIO]",
		Short: "Run one operation of two contrasting variants and draw both timelines",
		Long: `demo runs one operation of each contrast variant at once, against a real server
in its own process, or with --labserver elsewhere, and draws caller, slot holder,
client and server on one time axis, with the merged journal below. Without a
scenario it lists them. Clients of your own (--exec, --client, --clients) are
drawn beside D, or beside --variant.`,
		Example: `  bench demo semaphore_wait
  bench demo slow_headers --variant all
  bench demo pool_wait --variant B,D --width 120
  bench demo slow_body --exec 'curl -sS --max-time {budget_s} {url}'
  bench demo slow_headers --labserver http://192.0.2.7:18700 --token-file token`,
		Args:              cobra.MaximumNArgs(1),
		ValidArgsFunction: completeScenarios(1),
		RunE: func(cmd *cobra.Command, args []string) (err error) {
			if len(args) == 0 {
				return app.ListScenarios(streams(cmd))
			}
			o.Scenario = args[0]
			*code, err = app.Demo(cmd.Context(), streams(cmd), o)
			return err
		},
	}
	f := cmd.Flags()
	f.StringSliceVarP(&o.Variants, "variant", "v", nil, "variants by name or letter, comma separated; all = every one (default: the scenario's contrast)")
	f.IntVar(&o.Width, "width", 0, "columns of the drawing, 60 to 400 (default: the terminal's, at most 140; 100 when piped)")
	f.StringVar(&o.Out, "out", "", "keep the run directory here (default: not kept)")
	f.Int64Var(&o.Seed, "seed", 1, "seed of jitter")
	capFlag(cmd, &o.Cap)
	clientFlags(cmd, &o.Clients)
	elsewhereFlags(cmd, &o.Elsewhere)
	complete(cmd, "variant", completeList(variantNames))
	return cmd
}
