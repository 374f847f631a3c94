package main

import (
	"os"
	"strings"

	"github.com/deadlinelab/deadlinelab/internal/analysis"
	"github.com/deadlinelab/deadlinelab/internal/app"
	"github.com/spf13/cobra"
)

func newRun(code *int) *cobra.Command {
	var o app.RunOptions
	cmd := &cobra.Command{
		Use:   "run [SCENARIO...]",
		Short: "Measure client variants and judge their promises (default: the core scenarios)",
		Long: `run starts labserver as its own process, runs every (scenario, variant) cell
interleaved in a seeded order, writes the run directory while it measures, and
prints the report. The directory can be read at any time with ` + "`bench analyze`" + `.

A client of your own is named by --exec (one process per operation, judged net
of what it costs to start it), --client (a process that speaks the adapter
protocol) or --clients (a manifest). With any of them and no --variant, only
these clients run. Proxy variables are cleared for them.

Exit codes: 0 all held, 10 an expectation or requirement failed, 12 inconclusive,
13 incomplete, 64 usage, scenario or file error, 70 internal, 130 interrupted.`,
		Example: `  bench run
  bench run slow_headers --variant C,D --operations 10
  bench run --rung body,headers --operations 10
  bench run --profile smoke --on-inconclusive warn
  bench run slow_body --variant D --require bounded
  bench run hang --variant G --cap 20s
  bench run slow_body --exec 'curl -sS --max-time {budget_s} {url}' --require bounded
  bench run slow_body --variant D --exec 'mine=./my-client {url}' --exec-outcome mine:3=deadline_exceeded
  bench run --clients clients/clients.yaml:resty_readme,resty_bounded`,
		ValidArgsFunction: completeScenarios(anyNumber),
		RunE: func(cmd *cobra.Command, args []string) (err error) {
			o.Scenarios, o.Arguments = args, os.Args[1:]
			*code, err = app.Run(cmd.Context(), streams(cmd), o)
			return err
		},
	}
	selectionFlags(cmd, &o.Selection)
	clientFlags(cmd, &o.Clients)
	elsewhereFlags(cmd, &o.Elsewhere)
	f := cmd.Flags()
	f.StringVar(&o.Parallel, "parallel", "auto", "operations in flight at once: auto, or 1 to 2000")
	f.StringVar(&o.Out, "out", "", "run directory (default: results/<UTC>-<label>)")
	f.StringVar(&o.Require, "require", "", "judge the promise of every series: kept (every operation kept it) or bounded (none late or unbounded)")
	f.StringVar(&o.OnInconclusive, "on-inconclusive", "fail", "fail: exit 12; warn: exit 0 with a note")
	f.StringArrayVar(&o.Formats, "format", []string{"text"}, "report to print or write: "+strings.Join(analysis.Formats(), ", ")+"; repeatable, FORMAT=FILE writes to a file, -=stdout")
	complete(cmd, "format", completeFormat)
	complete(cmd, "require", fixed("kept", "bounded"))
	complete(cmd, "on-inconclusive", fixed("fail", "warn"))
	return cmd
}
