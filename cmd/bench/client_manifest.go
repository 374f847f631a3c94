package main

import (
	"strings"

	"github.com/deadlinelab/deadlinelab/internal/app"
	"github.com/deadlinelab/deadlinelab/internal/lab"
	"github.com/spf13/cobra"
)

func newClientList() *cobra.Command {
	var manifest, format string
	cmd := &cobra.Command{
		Use:   "list",
		Short: "List the clients that a manifest names, and which can be run here",
		Long: `list prints the clients of a manifest in its order: whether each can be run on
this machine, and if not, what is missing and the command that installs it. It looks
for programs, files and Python modules, and starts no client: that a version is
too old shows when it is run.`,
		Example: `  bench client list
  bench client list --format json`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			return app.ClientList(cmd.Context(), streams(cmd), manifest, format)
		},
	}
	manifestFlag(cmd, &manifest)
	cmd.Flags().StringVarP(&format, "format", "f", "text", strings.Join(app.ClientListFormats, " or "))
	complete(cmd, "format", fixed(app.ClientListFormats...))
	return cmd
}

func manifestFlag(cmd *cobra.Command, manifest *string) {
	cmd.Flags().StringVar(manifest, "manifest", lab.ClientsManifest, "file that names the clients")
}
