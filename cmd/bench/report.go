package main

import (
	"strings"

	"github.com/deadlinelab/deadlinelab/internal/analysis"
	"github.com/spf13/cobra"
)

func newReport(code *int) *cobra.Command {
	var o analysis.ReportOptions
	cmd := &cobra.Command{
		Use:   "report [DIR]",
		Short: "Print the report of a run (default: results/latest)",
		Example: `  bench report
  bench report results/reference --format markdown -o report.md
  bench report results/latest --format html -o report.html
  bench report results/latest --format svg -o drawings/
  bench report results/latest --format json -o -`,
		Args: cobra.MaximumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) (err error) {
			o.Dir = directory(args)
			*code, err = analysis.Report(streams(cmd), o)
			return err
		},
	}
	f := cmd.Flags()
	f.StringVarP(&o.Format, "format", "f", "text", "one of "+strings.Join(analysis.Formats(), ", "))
	f.StringVarP(&o.Output, "output", "o", "-", "file to write, for svg a directory; - is standard output")
	f.BoolVar(&o.Check, "check", false, "exit with the verdict's code")
	complete(cmd, "format", fixed(analysis.Formats()...))
	return cmd
}
