package main

import (
	"fmt"
	"strconv"

	"github.com/deadlinelab/deadlinelab/internal/exit"
	"github.com/spf13/cobra"
)

// newExitcode serves the make targets: make maps every failure to 2, so they
// print what the real code meant.
func newExitcode() *cobra.Command {
	return &cobra.Command{
		Use:     "exitcode CODE",
		Short:   "Say what an exit code of bench means",
		Example: `  bench exitcode 12`,
		Hidden:  true,
		Args:    cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			code, err := strconv.Atoi(args[0])
			if err != nil {
				return exit.Usagef("", "exitcode %q: expected a number", args[0])
			}
			meaning, err := exit.Meaning(code)
			if err != nil {
				return err
			}
			_, err = fmt.Fprintf(streams(cmd).Out, "exit %d: %s\n", code, meaning)
			return err
		},
	}
}
