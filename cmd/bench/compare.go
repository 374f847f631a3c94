package main

import (
	"github.com/deadlinelab/deadlinelab/internal/app"
	"github.com/spf13/cobra"
)

func newCompare(code *int) *cobra.Command {
	var o app.CompareOptions
	cmd := &cobra.Command{
		Use:   "compare OLD NEW",
		Short: "Judge one run against another: better, worse, the same, or inconclusive",
		Long: `compare sets the series that both run directories have against each other. How
operations ended and what their callers got comes first: where that changed, no
time is compared. Times are compared within one outcome, with an interval and a
margin; attempts and requests exactly. A series that only OLD has is named and
leaves the comparison inconclusive, unless --allow-missing.

Exit codes: 0 no regression, 11 a regression, 12 inconclusive and nothing
regressed, 13 a run is incomplete, 64 usage or unreadable.`,
		Example: `  bench compare results/before results/latest
  bench compare results/before results/latest --format markdown -o compare.md
  bench compare results/before results/latest --margin-ms 2 --on-inconclusive warn
  bench compare results/latest results/latest --map C=D`,
		Args: cobra.ExactArgs(2),
		RunE: func(cmd *cobra.Command, args []string) (err error) {
			o.Old, o.New = args[0], args[1]
			*code, err = app.Compare(streams(cmd), o)
			return err
		},
	}
	f := cmd.Flags()
	f.Float64Var(&o.MarginMs, "margin-ms", 5, "differences up to this many milliseconds do not count")
	f.Float64Var(&o.MarginPercent, "margin-percent", 3, "differences up to this many percent of the smaller median do not count")
	f.StringArrayVar(&o.Map, "map", nil, "OLD=NEW: set a variant of OLD against another one of NEW, by name or letter; repeatable")
	f.StringVarP(&o.Format, "format", "f", "text", "text, markdown or json")
	f.StringVarP(&o.Output, "output", "o", "-", "file to write, - is standard output")
	f.StringVar(&o.OnInconclusive, "on-inconclusive", "fail", "fail: exit 12; warn: exit 0")
	f.BoolVar(&o.AllowMissing, "allow-missing", false, "accept series that only OLD has, instead of an inconclusive comparison")
	complete(cmd, "format", fixed(app.CompareFormats()...))
	complete(cmd, "on-inconclusive", fixed("fail", "warn"))
	return cmd
}
