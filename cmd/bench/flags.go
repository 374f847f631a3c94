package main

import (
	"time"

	"github.com/deadlinelab/deadlinelab/internal/lab"
	"github.com/spf13/cobra"
)

// selectionFlags are the flags that say what is run, shared by plan and run.
func selectionFlags(cmd *cobra.Command, sel *lab.Selection) {
	f := cmd.Flags()
	rungFlag(cmd, &sel.Rungs, "all scenarios on these rungs, comma separated, instead of naming them; core, or all")
	f.StringSliceVarP(&sel.Variants, "variant", "v", nil, "variants by name or letter, comma separated; all = every registered one (default: those the scenario lists)")
	f.IntVar(&sel.Repeats, "repeats", 3, "repeats of each cell, 1 to 1000")
	f.IntVar(&sel.Operations, "operations", 30, "operations of each cell in one repeat, 1 to 100000")
	f.IntVar(&sel.Groups, "groups", 0, "groups of callers of each cell in one repeat, where a scenario has several callers on one client; 0 = as many as --operations")
	f.Int64Var(&sel.Seed, "seed", 1, "seed of the order of starts and of jitter")
	f.StringVar(&sel.Profile, "profile", "full", "full, or smoke: 1 repeat of 6 operations a cell unless --repeats or --operations say otherwise")
	capFlag(cmd, &sel.Cap)
	cmd.PreRun = func(cmd *cobra.Command, _ []string) {
		if sel.Profile == "smoke" {
			sel.Smoke(!f.Changed("repeats"), !f.Changed("operations"))
		}
	}
	complete(cmd, "variant", completeList(variantNames))
	complete(cmd, "profile", fixed("full", "smoke"))
}

// capFlag is --cap, shared by plan, run and demo.
func capFlag(cmd *cobra.Command, hardCap *time.Duration) {
	cmd.Flags().DurationVar(hardCap, "cap", 0, "when the bench ends an operation that nothing else ends, from its start: more than the budget, at most 6m5s (default: the scenario's cap_ms, else three times the budget and 5 s)")
}

// rungFlag is --rung, which names stall points.
func rungFlag(cmd *cobra.Command, rungs *[]string, usage string) {
	cmd.Flags().StringSliceVar(rungs, "rung", nil, usage)
	complete(cmd, "rung", completeList(lab.RungNames))
}

// clientFlags are the flags that name clients in processes of their own, shared
// by run, plan and demo.
func clientFlags(cmd *cobra.Command, o *lab.ClientOptions) {
	f := cmd.Flags()
	f.StringArrayVar(&o.Exec, "exec", nil, "[NAME=]COMMAND: a client that is one process per operation; no shell; {url} {budget_s} {budget_ms} {id} are filled in; repeatable")
	f.StringArrayVar(&o.Outcomes, "exec-outcome", nil, "[NAME:]STATUS=OUTCOME: what an exit status of --exec means; those of curl and wget are known; repeatable")
	f.StringArrayVar(&o.Adapters, "client", nil, "[NAME=]COMMAND: a long-running client that speaks the adapter protocol; repeatable")
	f.StringArrayVar(&o.Manifests, "clients", nil, "FILE[:NAME,NAME...]: clients of a manifest, like clients/clients.yaml; repeatable")
	complete(cmd, "exec-outcome", completeOutcomes)
	complete(cmd, "clients", completeClients)
}

// elsewhereFlags are the flags that name a labserver which runs elsewhere, shared
// by run and demo.
func elsewhereFlags(cmd *cobra.Command, o *lab.Elsewhere) {
	f := cmd.Flags()
	f.StringVar(&o.Labserver, "labserver", "", "URL of the control API of a labserver that runs elsewhere (default: start one)")
	f.StringVar(&o.TokenFile, "token-file", "", "file with that labserver's bearer token")
}
