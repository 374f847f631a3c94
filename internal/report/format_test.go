package report

import (
	"bytes"
	"errors"
	"regexp"
	"strings"
	"testing"

	"github.com/deadlinelab/deadlinelab/internal/rundir"
	"github.com/deadlinelab/deadlinelab/internal/scenario"
	"github.com/deadlinelab/deadlinelab/internal/timeline"
)

func series(scenario, label, variant, outcome, promise string, median float64, attempts, requests string) timeline.Series {
	ci := [2]float64{median - 0.1, median + 0.1}
	s := timeline.Series{Scenario: scenario, Variant: variant, Label: label, Planned: 90, N: 90, BudgetMs: 1000, MarginMs: 5,
		DurationMs:   &timeline.Durations{Median: median, CI95: &ci, P95: median + 0.6, Min: median - 0.4, Max: median + 1.2, RepeatMedians: []float64{median, median, median}},
		OvershootMs:  &timeline.Quantiles{Median: median - 1000, P95: new(median - 999.4), Max: median - 998.8},
		NoiseFloorMs: &timeline.Quantiles{Median: 0.58, P95: new(1.02), Max: 2.1},
		Outcomes:     map[string]int{outcome: 90}, Promise: map[string]int{promise: 90},
		HeadersReceived: new(int), BodyComplete: new(int), AfterDeadline: new(int),
		Attempts: map[string]int{attempts: 90}, ServerRequests: map[string]int{requests: 90}, Representative: scenario + "-r2-" + label + "-m0007"}
	switch timeline.Promise(promise) {
	case timeline.Late:
		s.Late = 90
	case timeline.Kept:
		s.InBudget = 90
	}
	return s
}

// mixed is a run with everything a report must cope with: a pass, a failure
// with two outcomes, noise, nothing valid, and a client without expectations
// under a hostile name.
func mixed() Input {
	fails := series("semaphore_wait", "D", "operation_deadline", "deadline_exceeded", "failed_in_time", 1000.6, "0", "0")
	fails.N, fails.Disturbed = 88, 2
	fails.Outcomes = map[string]int{"deadline_exceeded": 86, "success": 2}
	fails.Promise = map[string]int{"failed_in_time": 86, "late": 2}
	fails.Attempts = map[string]int{"0": 86, "1": 2}
	fails.Warnings = []string{"2 of 90 operations disturbed by a stall of the machine"}
	empty := timeline.Series{Scenario: "slow_headers", Variant: "attempt_timeout", Label: "B", Planned: 90, Invalid: 90, BudgetMs: 1000,
		HeadersReceived: new(int), BodyComplete: new(int), AfterDeadline: new(int)}
	hostile := series("slow_headers", "mine|x", "=cmd|'\x1b[2J<b>\n`_a_`", "success", "kept", 20.5, "1", "1")
	s := &Summary{Schema: timeline.SummarySchema, SchemaVersion: timeline.SummarySchemaVersion, Status: rundir.Complete, Series: []Series{
		{Series: series("semaphore_wait", "C", "deadline_after_admission", "success", "late", 1120.7, "1", "1"), Checks: []Check{{"late", "true", "90 of 90", Pass, ""}}},
		{Series: fails, Checks: []Check{{"outcome", "deadline_exceeded", "deadline_exceeded 86, success 2 of 88", Fail, ""}, {"attempts", "0", "0 × 86, 1 × 2 of 88", Fail, ""}}},
		{Series: empty, Checks: []Check{{"outcome", "retries_exhausted", "none of 0", Inconclusive, "no valid operation"}}},
		{Series: hostile, Checks: []Check{}},
	}}
	s.finalize()
	return Input{Summary: s, Scenarios: []*scenario.Scenario{{Name: "semaphore_wait", Question: "Does the clock start before | or after the *queue*?", File: "semaphore_wait.yaml",
		Pos: map[string]scenario.Position{"expect.operation_deadline.outcome": {Line: 31, Column: 34}}}}}
}

func TestFormats(t *testing.T) {
	for _, name := range Formats() {
		t.Run(name, func(t *testing.T) {
			var b bytes.Buffer
			if err := Write(name, &b, mixed()); err != nil {
				t.Fatal(err)
			}
			golden(t, "report."+name+".golden", withoutAssets(b.Bytes()))
			if strings.ContainsRune(b.String(), '\x1b') {
				t.Error("a terminal escape from a name came through")
			}
		})
	}
}

var assets = regexp.MustCompile(`(?s)<(style|script)>.*?</(style|script)>|sha256-\S+`)

// withoutAssets leaves out style and script of a page: they are read in files
// of their own.
func withoutAssets(page []byte) []byte { return assets.ReplaceAll(page, []byte("…")) }

func TestTextFitsItsColumns(t *testing.T) {
	var b bytes.Buffer
	if err := Write("text", &b, mixed()); err != nil {
		t.Fatal(err)
	}
	for line := range strings.SplitSeq(b.String(), "\n") {
		if runeLen(line) > 100 {
			t.Errorf("%d columns: %s", runeLen(line), line)
		}
	}
}

// The colours of a verdict change no column.
func TestTextColours(t *testing.T) {
	var b, plainly bytes.Buffer
	in := mixed()
	if err := Write("text", &plainly, in); err != nil {
		t.Fatal(err)
	}
	in.Colour = true
	if err := Write("text", &b, in); err != nil {
		t.Fatal(err)
	}
	stripped := b.String()
	for _, code := range []string{"\x1b[0m", "\x1b[32m", "\x1b[1;31m", "\x1b[33m", "\x1b[2m"} {
		if !strings.Contains(stripped, code) {
			t.Errorf("%q is not used", code)
		}
		stripped = strings.ReplaceAll(stripped, code, "")
	}
	if stripped != plainly.String() {
		t.Errorf("with colours taken off:\n%s\nwant\n%s", stripped, plainly.String())
	}
}

func TestUnknownFormat(t *testing.T) {
	err := Write("xls", &bytes.Buffer{}, mixed())
	if err == nil || !strings.Contains(err.Error(), `format "xls": expected one of `+strings.Join(Formats(), ", ")) {
		t.Errorf("got %v", err)
	}
}

type full struct{}

func (full) Write([]byte) (int, error) { return 0, errors.New("no space left") }

// A report that could not be written is an error in every format.
func TestWriteErrorsAreReported(t *testing.T) {
	for _, name := range Formats() {
		if err := Write(name, full{}, mixed()); err == nil {
			t.Errorf("%s swallowed the error", name)
		}
	}
}

func TestRegisterTwicePanics(t *testing.T) {
	defer func() {
		if recover() == nil {
			t.Error("a second format of the same name was accepted")
		}
	}()
	Register("text", writeText)
}

// A terminal of 20 columns gets 20; only a word that does not fit beside its head
// is not broken.
func TestTextOnANarrowTerminal(t *testing.T) {
	for _, width := range []int{20, 40, 99} {
		for name, in := range map[string]Input{"mixed": mixed(), "ladder": ladder()} {
			var b bytes.Buffer
			in.Width = width
			if err := Write("text", &b, in); err != nil {
				t.Fatal(err)
			}
			for line := range strings.SplitSeq(b.String(), "\n") {
				words := strings.Fields(line)
				if runeLen(line) > width && runeLen(line)-runeLen(words[len(words)-1]) > width/2 {
					t.Errorf("%s at %d: %d columns: %q", name, width, runeLen(line), line)
				}
			}
		}
	}
}
