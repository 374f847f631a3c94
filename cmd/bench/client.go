package main

import (
	"strings"

	"github.com/deadlinelab/deadlinelab/internal/conformance"
	"github.com/spf13/cobra"
)

func newClient(code *int) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "client",
		Short: "Check a client of your own, or list the known ones",
		Long: `client is about programs that wrap an HTTP client and speak the adapter protocol
with bench (docs/adapter-protocol.md). They are measured with
` + "`bench run --client 'COMMAND'`" + `.`,
		Example: `  bench client check '/usr/bin/python3 clients/python/client.py aiohttp_bounded'`,
		Args:    onlyCommands,
		RunE:    func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	cmd.AddCommand(newClientCheck(code), newClientList())
	return cmd
}

func newClientCheck(code *int) *cobra.Command {
	var only []string
	cmd := &cobra.Command{
		Use:   "check '[NAME=]COMMAND'",
		Short: "Check an adapter against the protocol, one line per check",
		Long: `check starts the adapter anew for each check, against a labserver of its own, and
prints ok, FAILED or skipped with what was found and what was expected. What a
client does not claim in its hello is skipped. How long it waits is not checked:
that is what a run measures. Mostly it takes less than half a minute. A client that
breaks in its first calls, under which nothing waits, is checked no further.

hello: what it says of itself. success: a healthy answer is one, with its body.
times: no event lies outside what the server saw. status: a 503 is no success.
attempts: as many as the server received requests. silence: a call to a server
that says nothing can be ended. cancel, pause: a cancelled call returns, also
in a pause between attempts. slots, pool: nothing is sent while the bench holds
every slot, or the only connection is busy; released slots are free again. many:
20 operations at once. unknown: messages of a later version are ignored. close:
the id is a new client afterwards. shutdown, eof: it ends, in time and silently.

Exit codes: 0 no check failed, 10 one failed, 64 usage, 130 interrupted.`,
		Example: `  bench client check '/usr/bin/python3 clients/python/client.py aiohttp_bounded'
  bench client check './myclient --timeout 1s' --only cancel,slots`,
		Args: cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) (err error) {
			*code, err = conformance.ClientCheck(cmd.Context(), streams(cmd), args[0], only)
			return err
		},
	}
	cmd.Flags().StringSliceVar(&only, "only", nil, "checks to run: "+strings.Join(conformance.ClientChecks(), ", "))
	complete(cmd, "only", completeList(conformance.ClientChecks))
	return cmd
}
