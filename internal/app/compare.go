package app

import (
	"bytes"
	"fmt"
	"io"
	"math"
	"slices"
	"strings"

	"github.com/deadlinelab/deadlinelab/internal/analysis"
	"github.com/deadlinelab/deadlinelab/internal/compare"
	"github.com/deadlinelab/deadlinelab/internal/console"
	"github.com/deadlinelab/deadlinelab/internal/exit"
)

// CompareOptions are the flags of `bench compare`.
type CompareOptions struct {
	Old, New       string // run directories
	MarginMs       float64
	MarginPercent  float64
	Map            []string // OLD=NEW, by variant name or letter
	Format         string
	Output         string // file; - = standard output
	OnInconclusive string // fail or warn
	AllowMissing   bool   // series that only Old has leave nothing open
}

// CompareFormats lists the formats of a comparison.
func CompareFormats() []string { return compare.Formats() }

// Compare judges one run against another.
func Compare(s console.Streams, o CompareOptions) (int, error) {
	if err := o.check(); err != nil {
		return 0, err
	}
	c, err := o.compare(s)
	if err != nil {
		return 0, err
	}
	if err := o.print(s, c); err != nil {
		return 0, err
	}
	summarizeComparison(s, c)
	return compareCode(c, o.OnInconclusive == "warn"), nil
}

func (o CompareOptions) compare(s console.Streams) (*compare.Comparison, error) {
	old, err := analysis.Open(o.Old)
	if err != nil {
		return nil, err
	}
	new, err := analysis.Open(o.New)
	if err != nil {
		return nil, err
	}
	for _, a := range []*analysis.Run{old, new} {
		for _, note := range a.EvidenceNote() {
			fmt.Fprintf(s.Err, "note: %s: %s\n", a.Dir.Path(), note)
		}
	}
	pairs, err := o.pairs(old, new)
	if err != nil {
		return nil, err
	}
	c := compare.Compare(old.Comparable(o.Old), new.Comparable(o.New),
		compare.Options{MarginMs: o.MarginMs, MarginPercent: o.MarginPercent, Pairs: pairs, AllowMissing: o.AllowMissing})
	if len(c.Series) == 0 {
		return nil, exit.Usagef("compare runs of the same scenarios and variants, or pair variants with --map", "%s and %s have no series in common", o.Old, o.New)
	}
	return c, nil
}

func (o CompareOptions) check() error {
	for _, m := range []struct {
		flag  string
		value float64
	}{{"--margin-ms", o.MarginMs}, {"--margin-percent", o.MarginPercent}} {
		if math.IsNaN(m.value) || math.IsInf(m.value, 0) || m.value < 0 {
			return exit.Usagef("", "%s %v: expected a number from 0", m.flag, m.value)
		}
	}
	if o.OnInconclusive != "fail" && o.OnInconclusive != "warn" {
		return exit.Usagef("", "--on-inconclusive %q: expected fail or warn", o.OnInconclusive)
	}
	if !slices.Contains(compare.Formats(), o.Format) {
		return exit.Usagef("", "--format %q: expected %s", o.Format, strings.Join(compare.Formats(), ", "))
	}
	return nil
}

// pairs reads --map: each side must be a variant of its run.
func (o CompareOptions) pairs(old, new *analysis.Run) ([]compare.Pair, error) {
	var list []compare.Pair
	for _, m := range o.Map {
		left, right, found := strings.Cut(m, "=")
		if !found {
			return nil, exit.Usagef("", "--map %q: expected OLD=NEW, such as C=D", m)
		}
		a, err := old.Variant(m, left)
		if err != nil {
			return nil, err
		}
		b, err := new.Variant(m, right)
		if err != nil {
			return nil, err
		}
		list = append(list, compare.Pair{Old: a, New: b})
	}
	return list, nil
}

func (o CompareOptions) print(s console.Streams, c *compare.Comparison) error {
	if o.Output == "-" {
		return o.write(s, c, s.Out)
	}
	if err := console.WriteFile(o.Output, "compare", func(w io.Writer) error { return o.write(s, c, w) }); err != nil {
		return err
	}
	fmt.Fprintf(s.Err, "%s: %s\n", o.Output, c.Verdict)
	return nil
}

// summarizeComparison appends the comparison to the step's summary when there
// is one.
func summarizeComparison(s console.Streams, c *compare.Comparison) {
	if s.Getenv(analysis.StepSummary) == "" {
		return
	}
	var b bytes.Buffer
	if err := c.Write("markdown", &b); err != nil {
		fmt.Fprintf(s.Err, "note: %s: %v\n", analysis.StepSummary, err)
		return
	}
	analysis.AppendStepSummary(s, b.Bytes())
}

// compareCode is 13 when a run is incomplete, else 11 for a regression, else 12
// when something is inconclusive (0 if that only warrants a warning, which a
// vanished series and a run that was changed never do).
func compareCode(c *compare.Comparison, warnOnInconclusive bool) int {
	switch {
	case !c.Old.Complete || !c.New.Complete:
		return exit.Incomplete
	case c.Verdict == compare.Worse:
		return exit.Regression
	case c.Verdict == compare.Inconclusive && (!warnOnInconclusive || c.Unproven()):
		return exit.Inconclusive
	}
	return exit.OK
}

// write spells what is for a person as the locale wants it.
func (o CompareOptions) write(s console.Streams, c *compare.Comparison, w io.Writer) error {
	if o.Format == "text" {
		w = s.Spelled(w)
	}
	return c.Write(o.Format, w)
}
