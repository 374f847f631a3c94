package bench

import (
	"bytes"
	"fmt"
	"math"
	"os"
	"slices"
	"strconv"
	"strings"

	"github.com/deadlinelab/deadlinelab/internal/compare"
	"github.com/deadlinelab/deadlinelab/internal/rundir"
	"github.com/deadlinelab/deadlinelab/internal/scenario"
	"github.com/deadlinelab/deadlinelab/internal/timeline"
	"gopkg.in/yaml.v3"
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
}

// CompareFormats lists the formats of a comparison.
func CompareFormats() []string { return compare.Formats() }

// Compare judges one run against another.
func Compare(s Streams, o CompareOptions) (int, error) {
	if err := o.check(); err != nil {
		return 0, err
	}
	old, err := open(o.Old)
	if err != nil {
		return 0, err
	}
	new, err := open(o.New)
	if err != nil {
		return 0, err
	}
	pairs, err := o.pairs(old, new)
	if err != nil {
		return 0, err
	}
	c := compare.Compare(old.comparable(o.Old), new.comparable(o.New),
		compare.Options{MarginMs: o.MarginMs, MarginPercent: o.MarginPercent, Pairs: pairs})
	if len(c.Series) == 0 {
		return 0, Usagef("compare runs of the same scenarios and variants, or pair variants with --map", "%s and %s have no series in common", o.Old, o.New)
	}
	if err := o.print(s, c); err != nil {
		return 0, err
	}
	summarizeComparison(s, c)
	return compareCode(c, o.OnInconclusive == "warn"), nil
}

func (o CompareOptions) check() error {
	for _, m := range []struct {
		flag  string
		value float64
	}{{"--margin-ms", o.MarginMs}, {"--margin-percent", o.MarginPercent}} {
		if math.IsNaN(m.value) || math.IsInf(m.value, 0) || m.value < 0 {
			return Usagef("", "%s %v: expected a number from 0", m.flag, m.value)
		}
	}
	if o.OnInconclusive != "fail" && o.OnInconclusive != "warn" {
		return Usagef("", "--on-inconclusive %q: expected fail or warn", o.OnInconclusive)
	}
	if !slices.Contains(compare.Formats(), o.Format) {
		return Usagef("", "--format %q: expected %s", o.Format, strings.Join(compare.Formats(), ", "))
	}
	return nil
}

// pairs reads --map: each side must be a variant of its run.
func (o CompareOptions) pairs(old, new *analysis) ([]compare.Pair, error) {
	var list []compare.Pair
	for _, m := range o.Map {
		left, right, found := strings.Cut(m, "=")
		if !found {
			return nil, Usagef("", "--map %q: expected OLD=NEW, such as C=D", m)
		}
		a, err := old.variant(m, left)
		if err != nil {
			return nil, err
		}
		b, err := new.variant(m, right)
		if err != nil {
			return nil, err
		}
		list = append(list, compare.Pair{Old: a, New: b})
	}
	return list, nil
}

// variant finds a variant that was run by its name or letter.
func (a *analysis) variant(flag, word string) (string, error) {
	var have []string
	for _, c := range a.plan.Cells {
		if word == c.Variant || strings.EqualFold(word, c.Label) {
			return c.Variant, nil
		}
		if !slices.Contains(have, c.Variant) {
			have = append(have, c.Variant)
		}
	}
	return "", Usagef("", "--map %q: %q was not run in %s, expected one of %s", flag, word, a.dir.Path(), strings.Join(have, ", "))
}

// comparable is what a comparison needs to know of a run.
func (a *analysis) comparable(name string) *compare.Run {
	r := &compare.Run{Name: name, Series: timeline.Summarize(a.merged, nil), Operations: a.merged.Operations, NoiseMs: a.merged.NoiseMs,
		Facts: a.facts(), Settings: map[string][]compare.Setting{}}
	if a.run.Status != rundir.Complete {
		r.Incomplete = a.run.Why
		if r.Incomplete == "" {
			r.Incomplete = "bench did not get to the end"
		}
	}
	for _, s := range a.plan.Scenarios {
		r.Settings[s.Name] = settings(s)
	}
	return r
}

// facts are the circumstances that move times without a change in the client.
func (a *analysis) facts() []compare.Setting {
	e := a.run.Environment
	return []compare.Setting{
		{Key: "go", Value: e.Go}, {Key: "system", Value: e.OS + "/" + e.Arch}, {Key: "kernel", Value: e.Kernel},
		{Key: "cpus", Value: strconv.Itoa(e.CPUs)}, {Key: "gomaxprocs", Value: strconv.Itoa(e.MaxProcs)},
		{Key: "parallel", Value: strconv.Itoa(a.run.Parallel)},
	}
}

// settings are a scenario's keys in the order of its file, less the words about
// it and what it expects. One that cannot be written has none.
func settings(s *scenario.Scenario) []compare.Setting {
	data, err := scenario.Marshal(s)
	if err != nil {
		return nil
	}
	var doc yaml.Node
	if err := yaml.Unmarshal(data, &doc); err != nil || len(doc.Content) == 0 {
		return nil
	}
	var list []compare.Setting
	eachKey(doc.Content[0], func(key string, value *yaml.Node) {
		if slices.Contains([]string{"question", "lesson", "rung", "contrast", "variants", "expect"}, key) {
			return
		}
		if value.Kind != yaml.MappingNode {
			list = append(list, compare.Setting{Key: key, Value: inline(value)})
			return
		}
		eachKey(value, func(below string, value *yaml.Node) {
			list = append(list, compare.Setting{Key: key + "." + below, Value: inline(value)})
		})
	})
	return list
}

func eachKey(mapping *yaml.Node, do func(key string, value *yaml.Node)) {
	for i := 0; i+1 < len(mapping.Content); i += 2 {
		do(mapping.Content[i].Value, mapping.Content[i+1])
	}
}

func inline(n *yaml.Node) string {
	data, err := yaml.Marshal(n)
	if err != nil {
		return err.Error()
	}
	return strings.TrimSpace(string(data))
}

func (o CompareOptions) print(s Streams, c *compare.Comparison) error {
	if o.Output == "-" {
		return c.Write(o.Format, s.Out)
	}
	f, err := os.Create(o.Output)
	if err != nil {
		return Usagef("", "compare: %w", err)
	}
	if err := c.Write(o.Format, f); err != nil {
		f.Close()
		return err
	}
	if err := f.Close(); err != nil {
		return err
	}
	fmt.Fprintf(s.Err, "%s: %s\n", o.Output, c.Verdict)
	return nil
}

// summarizeComparison appends the comparison to the step's summary when there
// is one.
func summarizeComparison(s Streams, c *compare.Comparison) {
	if s.Getenv(stepSummary) == "" {
		return
	}
	var b bytes.Buffer
	if err := c.Write("markdown", &b); err != nil {
		fmt.Fprintf(s.Err, "note: %s: %v\n", stepSummary, err)
		return
	}
	appendStepSummary(s, b.Bytes())
}

// compareCode is 13 when a run is incomplete, else 11 for a regression, else 12
// when something is inconclusive (0 if that only warrants a warning).
func compareCode(c *compare.Comparison, warnOnInconclusive bool) int {
	switch {
	case !c.Old.Complete || !c.New.Complete:
		return ExitIncomplete
	case c.Verdict == compare.Worse:
		return ExitRegression
	case c.Verdict == compare.Inconclusive && !warnOnInconclusive:
		return ExitInconclusive
	}
	return ExitOK
}
