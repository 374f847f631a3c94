package app

import (
	"bytes"
	"crypto/sha256"
	"fmt"
	"io"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/deadlinelab/deadlinelab/internal/console"
	"github.com/deadlinelab/deadlinelab/internal/eventlog"
	"github.com/deadlinelab/deadlinelab/internal/exit"
	"github.com/deadlinelab/deadlinelab/internal/rundir"
	"github.com/deadlinelab/deadlinelab/internal/scenario"
)

// written is a run directory written by hand: healthy with D, each operation a
// success after about ms.
type written struct {
	ms         float64
	n          int
	floorMs    float64
	status     rundir.Status
	scenario   string
	responseMs int
	more       []scenario.Cell // planned beside D
}

func quick(ms float64) written {
	return written{ms: ms, n: 12, floorMs: 0.5, status: rundir.Complete, scenario: "planted", responseMs: 20}
}

// at writes the directory and returns its path.
func (w written) at(t *testing.T, name string) string {
	t.Helper()
	dir := filepath.Join(t.TempDir(), name)
	if err := os.Mkdir(dir, 0o755); err != nil {
		t.Fatal(err)
	}
	files := map[string][]byte{
		rundir.RunFile: fmt.Appendf(nil, `{"schema":%q,"schema_version":"1.0.0","status":%q,"why":"labserver died","plan_digest":"%x",
			"tallies":[{"side":"client","last_seq":%d},{"side":"server","experiment":"run","last_seq":1}]}`,
			rundir.RunSchema, w.status, sha256.Sum256(w.plan(t)), bytes.Count(w.clientLog(), []byte("\n"))),
		rundir.PlanFile:  w.plan(t),
		rundir.ClientLog: w.clientLog(),
		rundir.ServerLog: silentServer(),
	}
	for file, data := range files {
		if err := os.WriteFile(filepath.Join(dir, file), data, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

func (w written) plan(t *testing.T) []byte {
	t.Helper()
	text := fmt.Sprintf(`name: %s
question: q
lesson: l
contrast: [operation_deadline, operation_deadline]
operation: {budget_ms: 1000}
scenario: {type: healthy, response_delay_ms: %d}
variants: [operation_deadline, single_attempt]
expect:
  operation_deadline: {outcome: success}
  single_attempt: {outcome: success}
`, w.scenario, w.responseMs)
	text = strings.Replace(text, "[operation_deadline, operation_deadline]", "[single_attempt, operation_deadline]", 1)
	s, err := scenario.Parse("planted.yaml", []byte(text))
	if err != nil {
		t.Fatal(err)
	}
	data, err := scenario.MarshalPlan(&scenario.Plan{Schema: scenario.PlanSchema, SchemaVersion: scenario.PlanSchemaVersion, Repeats: 1, Operations: w.n,
		Cells: append([]scenario.Cell{{Scenario: w.scenario, Variant: "operation_deadline", Label: "D"}}, w.more...), Scenarios: []*scenario.Scenario{s}})
	if err != nil {
		t.Fatal(err)
	}
	return data
}

// clientLog is the log of a client that reports nothing of its attempts.
func (w written) clientLog() []byte {
	var log []byte
	var seq uint64
	put := func(e eventlog.Event) {
		seq++
		e.Seq = seq
		log = append(eventlog.AppendJSON(log, &e), '\n')
	}
	put(opened("client"))
	now := int64(math.Float64bits(w.ms) >> 20) // no two runs are one measurement
	for i := range w.n {
		op := fmt.Sprintf("%s-r1-D-m%04d", w.scenario, i)
		start, end := now, now+int64((w.ms+float64(i)/100)*1e6)
		put(eventlog.Event{TNs: start, Op: op, Kind: eventlog.OperationStarted, Start: &eventlog.Start{Scenario: w.scenario, Variant: "operation_deadline", Label: "D",
			Repeat: 1, Index: i + 1, Phase: eventlog.Measured, BudgetMs: 1000, DeadlineNs: start + 1e9}})
		put(eventlog.Event{TNs: end, Kind: eventlog.NoiseSampled, DueNs: end - int64(w.floorMs*1e6), LateMs: w.floorMs})
		put(eventlog.Event{TNs: end, Op: op, Kind: eventlog.OperationFinished, Outcome: eventlog.Success})
		now = end + 1
	}
	return log
}

// silentServer is the log of a server which was never asked.
func silentServer() []byte {
	e := opened("server")
	e.Seq = 1
	return append(eventlog.AppendJSON(nil, &e), '\n')
}

func opened(side string) eventlog.Event {
	return eventlog.Event{Kind: eventlog.LogOpened, Header: &eventlog.Header{Schema: eventlog.Schema, SchemaVersion: eventlog.SchemaVersion, Side: side, Experiment: "run"}}
}

// comparing runs `bench compare` with its default flags.
func comparing(old, new string, change func(*CompareOptions)) (code int, out string, err error) {
	o := CompareOptions{Old: old, New: new, MarginMs: 5, MarginPercent: 3, Format: "text", Output: "-", OnInconclusive: "fail"}
	if change != nil {
		change(&o)
	}
	var b bytes.Buffer
	s := console.NewStreams(nil, &b, io.Discard, func(string) string { return "" })
	code, err = Compare(s, o)
	return code, b.String(), err
}

// Every exit code of a comparison, and which outranks which.
func TestCompareCodes(t *testing.T) {
	noisy, few, aborted, noisyAborted := quick(40), quick(40), quick(40), quick(40)
	noisy.floorMs, few.n, aborted.status = 6, 3, rundir.Aborted
	noisyAborted.floorMs, noisyAborted.status = 6, rundir.Aborted
	old := quick(20).at(t, "old")
	tests := []struct {
		name string
		new  written
		warn bool
		want int
	}{
		{"the same", quick(20.1), false, exit.OK},
		{"faster", quick(10), false, exit.OK},
		{"slower", quick(40), false, exit.Regression},
		{"slower, on warn", quick(40), true, exit.Regression},
		{"noisy", noisy, false, exit.Inconclusive},
		{"noisy, on warn", noisy, true, exit.OK},
		{"few", few, false, exit.Inconclusive},
		{"aborted", aborted, false, exit.Incomplete},
		{"aborted and noisy, on warn", noisyAborted, true, exit.Incomplete},
	}
	for _, test := range tests {
		code, out, err := comparing(old, test.new.at(t, "new"), func(o *CompareOptions) {
			if test.warn {
				o.OnInconclusive = "warn"
			}
		})
		if code != test.want || err != nil {
			t.Errorf("%s: exit %d, %v, expected %d:\n%s", test.name, code, err, test.want, out)
		}
	}
}

// A series that only the old run has is named and leaves the comparison open,
// whatever is to be a warning, until it is said that it may be missing.
func TestCompareNamesWhatVanished(t *testing.T) {
	both := quick(20)
	both.more = []scenario.Cell{{Scenario: "planted", Variant: "single_attempt", Label: "A"}}
	old, new := both.at(t, "old"), quick(20.1).at(t, "new")
	for _, format := range CompareFormats() {
		code, out, err := comparing(old, new, func(o *CompareOptions) { o.Format, o.OnInconclusive = format, "warn" })
		if code != exit.Inconclusive || err != nil || !strings.Contains(out, "single_attempt") {
			t.Errorf("%s: exit %d, %v, expected 12 and single_attempt:\n%s", format, code, err, out)
		}
	}
	code, out, err := comparing(old, new, func(o *CompareOptions) { o.AllowMissing = true })
	if code != exit.OK || err != nil || !strings.Contains(out, "single_attempt") {
		t.Errorf("allowed: exit %d, %v, expected 0 and single_attempt:\n%s", code, err, out)
	}
	if code, out, err := comparing(new, old, nil); code != exit.OK || err != nil {
		t.Errorf("gained: exit %d, %v, expected 0:\n%s", code, err, out)
	}
}

// What is wrong with the command line or a directory is 64, with its name.
func TestCompareRefuses(t *testing.T) {
	old := quick(20).at(t, "old")
	other := quick(20)
	other.scenario = "another"
	elsewhere := other.at(t, "elsewhere")
	tests := []struct {
		new    string
		change func(*CompareOptions)
		want   string
	}{
		{"nowhere", nil, "nowhere"},
		{elsewhere, nil, "have no series in common"},
		{old, func(o *CompareOptions) { o.MarginMs = -1 }, "--margin-ms -1: expected a number from 0"},
		{old, func(o *CompareOptions) { o.MarginPercent = math.NaN() }, "--margin-percent NaN"},
		{old, func(o *CompareOptions) { o.Format = "pdf" }, `--format "pdf": expected text, markdown, json`},
		{old, func(o *CompareOptions) { o.OnInconclusive = "cry" }, `--on-inconclusive "cry"`},
		{old, func(o *CompareOptions) { o.Map = []string{"C"} }, `--map "C": expected OLD=NEW`},
		{old, func(o *CompareOptions) { o.Map = []string{"D=C"} }, `"C" was not run in`},
		{old, func(o *CompareOptions) { o.Output = filepath.Join(old, "none", "below") }, "none"},
	}
	for _, test := range tests {
		_, _, err := comparing(old, test.new, test.change)
		if exit.CodeOf(err) != exit.Usage || !strings.Contains(err.Error(), test.want) {
			t.Errorf("%v (%d), expected %q and %d", err, exit.CodeOf(err), test.want, exit.Usage)
		}
	}
}

// A scenario of the same name that asks for something else is said to.
func TestCompareNamesChangedSettings(t *testing.T) {
	slower := quick(40)
	slower.responseMs = 40
	_, out, err := comparing(quick(20).at(t, "old"), slower.at(t, "new"), nil)
	if want := "scenario planted is another one now: scenario.response_delay_ms 20 → 40\n"; err != nil || !strings.Contains(out, want) {
		t.Errorf("%v, expected %q:\n%s", err, want, out)
	}
}

// --map takes letters and names.
func TestCompareMap(t *testing.T) {
	for _, m := range []string{"D=D", "d=operation_deadline"} {
		code, out, err := comparing(quick(20).at(t, "old"), quick(40).at(t, "new"), func(o *CompareOptions) { o.Map = []string{m} })
		if code != exit.Regression || err != nil {
			t.Errorf("--map %s: exit %d, %v:\n%s", m, code, err, out)
		}
	}
}
