package analysis

import (
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"github.com/deadlinelab/deadlinelab/internal/console"
	"github.com/deadlinelab/deadlinelab/internal/exit"
	"github.com/deadlinelab/deadlinelab/internal/report"
	"github.com/deadlinelab/deadlinelab/internal/term"
	"github.com/deadlinelab/deadlinelab/internal/variants"
	"github.com/deadlinelab/deadlinelab/internal/view"
)

// ReportOptions are the flags of `bench report`.
type ReportOptions struct {
	Dir    string
	Format string
	Output string // file; - = standard output
	Check  bool
}

// Formats lists the report formats.
func Formats() []string { return report.Formats() }

// Report prints a run's report.
func Report(s console.Streams, o ReportOptions) (int, error) {
	if format, file, found := strings.Cut(o.Format, "="); found {
		return 0, exit.Usagef(fmt.Sprintf("--format %s -o %s", format, file), "--format %q: expected the name of a format alone", o.Format)
	}
	if err := CheckFormats([]string{o.Format}); err != nil {
		return 0, err
	}
	a, err := Open(o.Dir)
	if err != nil {
		return 0, err
	}
	if err := a.print(s, o.Format, o.Output); err != nil {
		return 0, err
	}
	a.printNotes(s)
	a.printBroken(s)
	return a.readCode(o.Check), nil
}

// CheckFormats refuses, with a usage error, formats that no report has.
func CheckFormats(formats []string) error {
	for _, f := range formats {
		name, file, found := strings.Cut(f, "=")
		if !report.Known(name) {
			return exit.Usagef("", "--format %q: expected %s", name, strings.Join(report.Formats(), ", "))
		}
		if found && file == "" {
			return exit.Usagef(fmt.Sprintf("--format %s alone prints it", name), "--format %q: expected a file behind the =", f)
		}
	}
	return nil
}

// CheckFiles finds before a run what would keep its reports from being written.
// The run directory out, which the run makes, may hold them too.
func CheckFiles(formats []string, out string) error {
	for _, f := range formats {
		name, file, _ := strings.Cut(f, "=")
		if file == "" || file == "-" {
			continue
		}
		if info, err := os.Stat(file); err == nil && info.IsDir() && !report.SeveralFiles(name) {
			return exit.Usagef("", "--format %s: %s is a directory, expected a file", f, file)
		}
		if out != "" && filepath.Dir(file) == filepath.Clean(out) {
			continue
		}
		if info, err := os.Stat(filepath.Dir(file)); err != nil || !info.IsDir() {
			return exit.Usagef("make it first", "--format %s: there is no directory %s", f, filepath.Dir(file))
		}
	}
	return nil
}

// PrintAll prints every FORMAT or FORMAT=FILE, and appends to the summary of
// the CI step that bench runs in.
func (a *Run) PrintAll(s console.Streams, formats []string) error {
	a.summarizeStep(s)
	for _, f := range formats {
		name, file, _ := strings.Cut(f, "=")
		if file == "" {
			file = "-"
		}
		if err := a.print(s, name, file); err != nil {
			return err
		}
	}
	return nil
}

// widest is as wide as a report in text gets; a narrower terminal gets what fits.
const widest = 100

func (a *Run) print(s console.Streams, format, file string) error {
	if file == "-" {
		return a.WriteReport(s.Out, format, term.Options{Width: min(console.Columns(s.Out, widest), widest), ASCII: s.Ascii, Colour: s.Colours(s.Out), Program: s.Program})
	}
	if report.SeveralFiles(format) {
		return a.fill(file, format)
	}
	return console.WriteFile(file, "report", func(w io.Writer) error {
		return a.WriteReport(w, format, term.Options{ASCII: s.Ascii, Program: s.Program})
	})
}

// WriteReport writes the run in one format.
func (a *Run) WriteReport(w io.Writer, format string, o term.Options) error {
	in := a.input()
	in.Width, in.ASCII, in.Colour, in.Program = o.Width, o.ASCII, o.Colour, o.Program
	return report.Write(format, w, in)
}

// fill writes the files of a format that makes several into a directory.
func (a *Run) fill(dir, format string) error {
	files, err := report.Files(format, a.input())
	if err != nil {
		return err
	}
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return exit.Usagef("format "+format+" makes several files: name a directory", "report: %w", err)
	}
	for _, f := range files {
		if err := os.WriteFile(filepath.Join(dir, f.Name), f.Data, 0o644); err != nil {
			return exit.Usagef("", "report: %w", err)
		}
	}
	return nil
}

func (a *Run) input() view.Input {
	summaries, files := map[string]string{}, map[string]string{}
	for _, v := range variants.All() {
		summaries[v.Name], files[v.Name] = v.Summary, variants.File(v.Name)
	}
	return view.Input{Summary: a.Summary, Run: &a.run, Scenarios: a.plan.Scenarios, Operations: a.Merged.Operations, VariantSummaries: summaries, VariantFiles: files}
}
