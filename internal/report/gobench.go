package report

import (
	"bytes"
	"cmp"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/deadlinelab/deadlinelab/internal/eventlog"
	"github.com/deadlinelab/deadlinelab/internal/rundir"
	"github.com/deadlinelab/deadlinelab/internal/textui"
	"github.com/deadlinelab/deadlinelab/internal/timeline"
	"github.com/deadlinelab/deadlinelab/internal/verdict"
	"github.com/deadlinelab/deadlinelab/internal/view"
	"github.com/deadlinelab/deadlinelab/internal/wording"
)

func init() { Register("gobench", writeGobench) }

// gobenchUnits tell benchstat what the figures are. Units in ns become seconds
// there, so that it scales them itself.
const gobenchUnits = `Unit ns/op better=lower
Unit overshoot-ns better=lower
Unit attempts assume=exact
Unit requests assume=exact
`

// writeGobench is the Go benchmark format, for benchstat: one line per valid
// measured operation, since the operations are the sample; a line per repeat
// would leave too few for an interval. The outcome is part of the name, so that
// benchstat never compares durations across outcomes.
func writeGobench(b *bytes.Buffer, in view.Input) error {
	for _, m := range in.Summary.Mismatches {
		fmt.Fprintf(b, "# the run is not what it was: %s\n", textui.Plain(m))
	}
	gobenchHeader(b, in.Run)
	b.WriteString(gobenchUnits)
	if in.Summary.External() {
		gobenchStartups(b, in.Summary)
	}
	byCell := map[verdict.Cell][]*timeline.Operation{}
	for _, o := range in.Operations {
		if o.Phase == eventlog.Measured && o.Finished && o.Valid && !o.Disturbed {
			c := verdict.Cell{Scenario: o.Scenario, Variant: o.Variant}
			byCell[c] = append(byCell[c], o)
		}
	}
	for _, s := range in.Summary.Series {
		ops := byCell[verdict.Cell{Scenario: s.Scenario, Variant: s.Variant}]
		slices.SortStableFunc(ops, byOutcome)
		for _, o := range ops {
			gobenchLine(b, o)
		}
	}
	return nil
}

// gobenchStartups says what ns/op of a client that is a process per operation
// is net of: benchstat passes over such lines, people do not.
func gobenchStartups(b *bytes.Buffer, s *verdict.Summary) {
	b.WriteString("Unit raw-ns better=lower\n")
	said := map[string]bool{}
	for _, one := range s.Series {
		if net := one.NetOf; net != "" && !said[one.Variant] {
			said[one.Variant] = true
			fmt.Fprintf(b, "# variant=%s: ns/op is %s; raw-ns is with it\n", gobenchPart(one.Label), net)
		}
	}
}

func byOutcome(a, b *timeline.Operation) int {
	return cmp.Compare(wording.OutcomeOrder[string(a.Outcome)], wording.OutcomeOrder[string(b.Outcome)])
}

// gobenchHeader is what benchstat groups by: results of two systems go into
// two tables.
func gobenchHeader(b *bytes.Buffer, run *rundir.Run) {
	if run != nil {
		fmt.Fprintf(b, "goos: %s\ngoarch: %s\n", gobenchPart(run.Environment.OS), gobenchPart(run.Environment.Arch))
	}
	b.WriteString("pkg: github.com/deadlinelab/deadlinelab\n")
}

// gobenchLine leaves the overshoot out where the operation ended before its
// deadline: benchstat's percentages mean nothing for figures below zero.
func gobenchLine(b *bytes.Buffer, o *timeline.Operation) {
	fmt.Fprintf(b, "%s 1 %d ns/op", gobenchName(o), nanoseconds(o.JudgedMs()))
	if o.NetMs != nil {
		fmt.Fprintf(b, " %d raw-ns", nanoseconds(o.DurationMs))
	}
	if o.Overshoot >= 0 {
		fmt.Fprintf(b, " %d overshoot-ns", nanoseconds(o.Overshoot))
	}
	if o.Attempts != nil || o.Client == "" {
		fmt.Fprintf(b, " %d attempts", len(o.Attempts))
	}
	fmt.Fprintf(b, " %d requests\n", o.ServerRequests)
}

// gobenchName is BenchmarkSlow_body/variant=D/outcome=success. A lower-case
// letter may not follow "Benchmark"; upper-case ones do not occur in the names
// of scenarios, so that two scenarios never share a name.
func gobenchName(o *timeline.Operation) string {
	name := gobenchPart(o.Scenario)
	return "Benchmark" + strings.ToUpper(name[:1]) + name[1:] + "/variant=" + gobenchPart(o.Label) + "/outcome=" + gobenchPart(string(o.Outcome))
}

// gobenchPart keeps text inside its part of a name: blanks end a name and
// slashes its parts. Empty text becomes "_".
func gobenchPart(text string) string {
	if text == "" {
		return "_"
	}
	quoted := strconv.QuoteToASCII(text)
	return strings.NewReplacer(" ", "_", "/", "_").Replace(quoted[1 : len(quoted)-1])
}

func nanoseconds(ms float64) int64 { return int64(math.Round(ms * 1e6)) }
