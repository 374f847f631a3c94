package main

import (
	"github.com/deadlinelab/deadlinelab/internal/app"
	"github.com/spf13/cobra"
)

func newSchema() *cobra.Command {
	return &cobra.Command{
		Use:   "schema [NAME]",
		Short: "Print the JSON Schema of a file that bench reads or writes; without a name, list them",
		Long: `schema prints a JSON Schema (draft 2020-12). In JSON lines (client.jsonl,
server.jsonl, operations.jsonl) it holds for each line. A later minor version of
a format may add keys: what bench writes is described so that they are allowed.`,
		Example: `  bench schema
  bench schema events > events.schema.json`,
		Args:              cobra.MaximumNArgs(1),
		ValidArgsFunction: completeSchema,
		RunE: func(cmd *cobra.Command, args []string) error {
			if len(args) == 0 {
				return app.ListSchemas(streams(cmd))
			}
			return app.Schema(streams(cmd), args[0])
		},
	}
}
