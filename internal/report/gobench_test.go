package report

import (
	"bytes"
	"regexp"
	"strings"
	"testing"

	"github.com/deadlinelab/deadlinelab/internal/eventlog"
	"github.com/deadlinelab/deadlinelab/internal/fixture"
	"github.com/deadlinelab/deadlinelab/internal/fixture/inputs"
	"github.com/deadlinelab/deadlinelab/internal/rundir"
	"github.com/deadlinelab/deadlinelab/internal/timeline"
	"github.com/deadlinelab/deadlinelab/internal/verdict"
	"github.com/deadlinelab/deadlinelab/internal/view"
)

func gobench(t *testing.T, in view.Input) string {
	t.Helper()
	var b bytes.Buffer
	if err := Write("gobench", &b, in); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

func placed(scenario string, o *timeline.Operation) *timeline.Operation {
	o.Scenario = scenario
	return o
}

// One line per valid measured operation, in the order of the summary, outcomes
// apart; whatever is in no series is in no line.
func TestGobenchLines(t *testing.T) {
	late := placed("semaphore_wait", fixture.SemaphoreC().Operation)
	stopped := placed("semaphore_wait", fixture.SemaphoreD().Operation)
	slipped := placed("semaphore_wait", fixture.Ended("D", "operation_deadline", eventlog.Success, timeline.Kept, 20.5))
	slipped.Attempts, slipped.ServerRequests = []timeline.Attempt{fixture.Answered(1, 0, 20, 20.4, 200)}, 1
	var left []*timeline.Operation
	for _, spoil := range []func(*timeline.Operation){
		func(o *timeline.Operation) { o.Valid = false }, func(o *timeline.Operation) { o.Disturbed = true },
		func(o *timeline.Operation) { o.Finished = false }, func(o *timeline.Operation) { o.Phase = eventlog.Warmup },
	} {
		o := placed("semaphore_wait", fixture.SemaphoreD().Operation)
		spoil(o)
		left = append(left, o)
	}
	in := inputs.Mixed()
	in.Run = &rundir.Run{Environment: rundir.Environment{OS: "linux", Arch: "amd64"}}
	in.Operations = append(left, stopped, slipped, late)
	fixture.Golden(t, "operations.gobench.golden", []byte(gobench(t, in)))
}

// benchstat's grammar for a line: a name without blanks, a count, then pairs
// of value and unit.
var gobenchGrammar = regexp.MustCompile(`^Benchmark[^ a-z][!-~]*/variant=[!-.0-~]+/outcome=[!-.0-~]+ 1 -?\d+ ns/op( \d+ overshoot-ns)? \d+ attempts \d+ requests$`)

func FuzzGobench(f *testing.F) {
	f.Add("slow_body", "D", "success", 1000.611, 0.611)
	f.Add("", "", "", 0.0, -1.0)
	f.Add("a b/c\td", "\xff\u2028é", "\n", 20.0, -980.0)
	f.Fuzz(func(t *testing.T, scenario, label, outcome string, ms, overshoot float64) {
		if !(ms >= 0 && ms < 1e9 && overshoot > -1e9 && overshoot < 1e9) {
			t.Skip("no duration of a run")
		}
		o := placed(scenario, fixture.Ended(label, "x", eventlog.Outcome(outcome), timeline.Kept, ms))
		o.Overshoot = overshoot
		in := view.Input{Summary: &verdict.Summary{Series: []verdict.Series{{Series: fixture.Series(scenario, label, "x", outcome, "kept", ms, "1", "1")}}}, Operations: []*timeline.Operation{o}}
		lines := strings.Split(strings.TrimSuffix(gobench(t, in), "\n"), "\n")
		if last := lines[len(lines)-1]; len(lines) != 6 || !gobenchGrammar.MatchString(last) {
			t.Errorf("%d lines, the last: %q", len(lines), last)
		}
	})
}
