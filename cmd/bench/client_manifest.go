package main

import (
	"github.com/deadlinelab/deadlinelab/internal/bench"
	"github.com/spf13/cobra"
)

func newClientTable() *cobra.Command {
	var manifest string
	cmd := &cobra.Command{
		Use:   "table [DIR]",
		Short: "Set a run of the known clients on one page: client by wait (default: " + bench.ClientsRun + ")",
		Long: `table prints docs/clients.md from a run of clients in processes of their own and
the manifest that describes them: what the caller got under each wait, by how much
late, what it caught, and which setting mends a miss. ` + "`make clients-bench`" + ` measures
again.`,
		Example: `  bench client table
  bench client table results/clients > docs/clients.md`,
		Args: cobra.MaximumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			dir := bench.ClientsRun
			if len(args) > 0 {
				dir = args[0]
			}
			return bench.ClientTable(streams(cmd), dir, manifest)
		},
	}
	manifestFlag(cmd, &manifest)
	return cmd
}

func newClientList() *cobra.Command {
	var manifest string
	cmd := &cobra.Command{
		Use:     "list",
		Short:   "List the clients that a manifest names",
		Example: `  bench client list`,
		Args:    cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			return bench.ClientList(streams(cmd), manifest)
		},
	}
	manifestFlag(cmd, &manifest)
	return cmd
}

func manifestFlag(cmd *cobra.Command, manifest *string) {
	cmd.Flags().StringVar(manifest, "manifest", bench.ClientsManifest, "file that names the clients")
}
