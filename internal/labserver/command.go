package labserver

import (
	"github.com/spf13/cobra"

	"github.com/deadlinelab/deadlinelab/internal/control"
)

func (p *program) command() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "labserver",
		Short: "An upstream that scripts every wait",
		Long: `labserver answers HTTP requests as slowly, partly or wrongly as a scenario says,
and logs what really happened on the server's side.

Without --scenario it waits for experiments on its control API and prints one
JSON line once it listens. With --scenario it serves that scenario for use by
hand: events go to stdout as JSON lines, notes to stderr.

The bearer token of the control API comes from the environment variable
` + control.TokenEnv + `; without one only loopback addresses are served.`,
		Example: `  labserver --scenario slow_body --listen 127.0.0.1:18765
  curl -sS http://127.0.0.1:18765/            # every request starts the script anew
  curl -sS http://127.0.0.1:18765/op/mine/    # exchange 1, 2, 3 ... of one operation
  labserver --control 127.0.0.1:18700`,
		Args:          noArguments,
		Version:       control.Version(),
		SilenceErrors: true,
		SilenceUsage:  true,
		RunE:          func(cmd *cobra.Command, _ []string) error { return p.run(cmd) },
	}
	cmd.SetVersionTemplate("labserver {{.Version}}\n")
	cmd.SetFlagErrorFunc(func(_ *cobra.Command, err error) error {
		return refuse(0, "`labserver --help` lists the flags", "%v", err)
	})
	p.flags(cmd)
	cmd.CompletionOptions.DisableDefaultCmd = true
	cmd.AddCommand(p.selftestCommand())
	return cmd
}

func (p *program) selftestCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "selftest",
		Short: "Meet every fault with a raw socket and print what came back",
		Long: `selftest serves every fault on a loopback address and meets it with a raw
socket: exact bytes, FIN or RST, and times. Nothing may be early; how late it may
be is generous. It prints one line for each proof.

Exit code 0: every fault is as its script says; 10: one is not; 64: too few open
files to tell.`,
		Example: "  labserver selftest",
		Args:    cobra.NoArgs,
		RunE:    func(*cobra.Command, []string) error { return p.selftest() },
	}
}

func (p *program) flags(cmd *cobra.Command) {
	f := cmd.Flags()
	f.SortFlags = false
	f.StringVar(&p.scenario, "scenario", "", "serve this scenario by hand: a name, or a path to a .yaml file")
	f.StringVar(&p.listen, "listen", loopbackAny, "data address of that scenario, host:port")
	f.StringVar(&p.control, "control", "", "address of the control API, host:port (default "+loopbackAny+" without --scenario, else none)")
	f.BoolVar(&p.parentStdin, "parent-stdin", false, "exit when standard input ends")
}

func noArguments(_ *cobra.Command, args []string) error {
	if len(args) == 0 {
		return nil
	}
	return refuse(0, "a scenario goes to --scenario", "unexpected argument %q: labserver takes flags only", args[0])
}
