package main

import (
	"github.com/deadlinelab/deadlinelab/internal/analysis"
	"github.com/deadlinelab/deadlinelab/internal/app"
	"github.com/spf13/cobra"
)

func newServe(code *int) *cobra.Command {
	var o app.ServeOptions
	cmd := &cobra.Command{
		Use:   "serve [SCENARIO...]",
		Short: "Offer a local page for a workshop: predict, run live, compare",
		Long: `serve offers a page on this machine: pick a scenario, predict what two clients
will do, watch one operation of each live, and compare; run 30 of each; open the
report of any run under results/. It keeps nothing: its runs are not saved.

Ctrl-C is its normal end: operations that still run are ended and the exit code
is 0. Exit codes: 13 labserver did not start, 64 usage or file error.`,
		Example: `  bench serve
  bench serve slow_headers semaphore_wait
  bench serve --listen 0.0.0.0:8080 --token our-workshop`,
		ValidArgsFunction: completeScenarios(anyNumber),
		RunE: func(cmd *cobra.Command, args []string) (err error) {
			o.Scenarios = args
			*code, err = app.Serve(cmd.Context(), streams(cmd), o)
			return err
		},
	}
	f := cmd.Flags()
	f.StringVar(&o.Listen, "listen", "127.0.0.1:8765", "host:port of the page; port 0 takes any free one")
	f.StringVar(&o.Token, "token", "", "what a browser must know to see the page; required unless --listen is a loopback address")
	f.StringVar(&o.Results, "results", analysis.Results, "directory whose runs can be opened")
	return cmd
}
