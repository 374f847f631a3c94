package timeline_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/deadlinelab/deadlinelab/internal/timeline"
)

// series writes n operations that end as end tells, one a second.
func series(n int, end func(i int) string) string {
	var b strings.Builder
	for i := range n {
		op := fmt.Sprintf("op=m%03d", i+1)
		fmt.Fprintf(&b, "c %d operation_started %s repeat=%d\n", 2000*i, op, i/30+1)
		ms, rest, _ := strings.Cut(end(i), " ")
		var after float64
		fmt.Sscan(ms, &after)
		fmt.Fprintf(&b, "c %s operation_finished %s %s\n", trim(2000*float64(i)+after), op, rest)
	}
	return b.String()
}

func only(t *testing.T, run *timeline.Run, cells ...timeline.Cell) timeline.Series {
	t.Helper()
	all := timeline.Summarize(run, cells)
	if len(all) != 1 {
		t.Fatalf("%d series, want 1", len(all))
	}
	return all[0]
}

// Ninety operations of 1000.01 … 1000.90 ms: every figure can be told by hand.
func TestNinetyOperations(t *testing.T) {
	run, _ := merged(t, series(90, func(i int) string { return fmt.Sprintf("%.2f outcome=deadline_exceeded", 1000.01+float64(i)/100) }))
	s := only(t, run)
	want := &timeline.Durations{Median: 1000.46, CI95: &[2]float64{1000.36, 1000.55}, P95: 1000.86, Min: 1000.01, Max: 1000.90,
		RepeatMedians: []float64{1000.16, 1000.46, 1000.76}}
	if diff := cmp.Diff(want, s.DurationMs); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff(&timeline.Quantiles{Median: 0.46, P95: new(0.86), Max: 0.9}, s.OvershootMs); diff != "" {
		t.Error(diff)
	}
	if s.N != 90 || s.Planned != 90 || s.Outcomes["deadline_exceeded"] != 90 || s.Promise["failed_in_time"] != 90 || s.Attempts["0"] != 90 {
		t.Errorf("%+v", s)
	}
	if s.Representative != "m045" && s.Representative != "m046" || s.Representative == "m046" {
		t.Errorf("representative %s: 45 and 46 are as near, 45 comes first", s.Representative)
	}
	if len(s.Warnings) != 0 {
		t.Errorf("warnings %q", s.Warnings)
	}
}

// Repeats that differ by more than a machine's mood are told.
func TestRepeatsApart(t *testing.T) {
	run, _ := merged(t, series(90, func(i int) string {
		return fmt.Sprintf("%.2f outcome=deadline_exceeded", 1000.01+float64(i)/100+float64(i/30)*8)
	}))
	if s := only(t, run); len(s.Warnings) != 1 || !strings.Contains(s.Warnings[0], "16.60 ms apart") {
		t.Errorf("warnings %q", s.Warnings)
	}
}

// Two outcomes are never mixed silently.
func TestMixedOutcomes(t *testing.T) {
	run, _ := merged(t, series(9, func(i int) string {
		if i < 2 {
			return "100 outcome=success"
		}
		return "1001 outcome=deadline_exceeded"
	}))
	s := only(t, run)
	if diff := cmp.Diff(map[string]float64{"success": 100, "deadline_exceeded": 1001}, s.ByOutcome); diff != "" {
		t.Error(diff)
	}
	if s.Representative != "m003" || s.InBudget != 2 {
		t.Errorf("representative %s, in budget %d", s.Representative, s.InBudget)
	}
	if !strings.Contains(strings.Join(s.Warnings, " "), "2 success, median 100.0 ms; 7 deadline_exceeded, median 1001.0 ms") {
		t.Errorf("warnings %q", s.Warnings)
	}
}

// Invalid, disturbed and missing operations are counted, not measured.
func TestNIsWhatIsLeft(t *testing.T) {
	text := series(10, func(int) string { return "1001 outcome=deadline_exceeded" })
	text = strings.Replace(text, "c 1001 operation_finished op=m001", "s 50 unscripted op=m001\nc 1001 operation_finished op=m001", 1)
	text = strings.Replace(text, "c 3001 operation_finished op=m002", "c 3001 noise_sampled op= due=2900 late_ms=70\nc 3060 operation_finished op=m002", 1)
	text = strings.Replace(text, "c 19001 operation_finished op=m010 outcome=deadline_exceeded", "", 1)
	for i := range 200 { // one bad sample in 200 widens no margin
		text += fmt.Sprintf("c %d noise_sampled op= due=%d late_ms=0.5\n", 20000+i, 20000+i)
	}
	run, _ := merged(t, text)
	s := only(t, run, timeline.Cell{Scenario: "slow", Variant: "operation_deadline", Label: "D", Planned: 12, BudgetMs: 1000})
	if s.N != 7 || s.Invalid != 1 || s.Disturbed != 1 || s.Planned != 12 {
		t.Errorf("n %d, invalid %d, disturbed %d of %d: %v", s.N, s.Invalid, s.Disturbed, s.Planned, run.Operation("m002").Reasons)
	}
	if !strings.Contains(strings.Join(s.Warnings, " "), "3 of 12 planned operations have no end") {
		t.Errorf("warnings %q", s.Warnings)
	}
}

// A stall explains a deviation only when it is long enough for it and lay
// inside the operation.
func TestDisturbed(t *testing.T) {
	for _, c := range []struct {
		why, end, noise string
		disturbed       bool
	}{
		{"60 ms off, stalled for 58", "1061", "due=900 late_ms=58", true},
		{"60 ms off, stalled for 31: the next steps were slow as well", "1061", "due=900 late_ms=31", true},
		{"60 ms off, stalled for 20", "1061", "due=900 late_ms=20", false},
		{"60 ms off, stalled for 58 before it began", "1061", "due=-100 late_ms=58", false},
		{"4 ms off is within the margin", "1005", "due=900 late_ms=58", false},
		{"another outcome, stalled for 12", "100 outcome=success", "due=50 late_ms=12", true},
		{"another outcome, stalled for 8", "100 outcome=success", "due=50 late_ms=8", false},
	} {
		text := series(11, func(int) string { return "1001 outcome=deadline_exceeded" })
		outcome := " outcome=deadline_exceeded"
		if strings.Contains(c.end, "outcome") {
			outcome = ""
		}
		ms, rest, _ := strings.Cut(c.end+outcome, " ")
		text = strings.Replace(text, "c 1001 operation_finished op=m001 outcome=deadline_exceeded",
			"s "+ms+" noise_sampled op= "+c.noise+"\nc "+ms+" operation_finished op=m001 "+rest, 1)
		run, _ := merged(t, text)
		if op := run.Operation("m001"); op.Disturbed != c.disturbed || !op.Valid {
			t.Errorf("%s: disturbed %t, reasons %v", c.why, op.Disturbed, op.Reasons)
		}
	}
}

// Noise widens the margin, and must not make a stall that turned an outcome on a
// quiet machine explain less: what noise explains is never red.
func TestDisturbedOnANoisyMachine(t *testing.T) {
	for late, want := range map[string]bool{"12": true, "8": false} {
		text := series(11, func(int) string { return "1001 outcome=deadline_exceeded" })
		text = strings.Replace(text, "c 1001 operation_finished op=m001 outcome=deadline_exceeded",
			"s 100 noise_sampled op= due=50 late_ms="+late+"\nc 100 operation_finished op=m001 outcome=success", 1)
		for i := range 200 {
			text += fmt.Sprintf("c %d noise_sampled op= due=%d late_ms=40\n", 30000+i, 30000+i-40)
		}
		run, _ := merged(t, text)
		if run.MarginMs != 40 {
			t.Fatalf("margin %v", run.MarginMs)
		}
		if op := run.Operation("m001"); op.Disturbed != want {
			t.Errorf("stalled for %s ms: disturbed %t, stall %v, reasons %v", late, op.Disturbed, op.StallMs, op.Reasons)
		}
	}
}

// What the operation's own timers acted late is the machine's doing as well: it
// explains a deviation, and a lateness that most of the series does not share.
func TestOwnTimersDisturb(t *testing.T) {
	for _, c := range []struct {
		why, events, end string
		disturbed        bool
	}{
		{"the deadline fired 30 ms late", "c 1030 deadline_fired op=m001 late_ms=30", "1031", true},
		{"the deadline fired on time, the client dawdled", "c 1000.5 deadline_fired op=m001 late_ms=0.5", "1031", false},
		{"late by a hair, because its deadline fired late", "c 1005.2 deadline_fired op=m001 late_ms=5.2", "1005.5", true},
		{"two limits and a pause add up", "c 410 attempt_started op=m001 attempt=1\nc 415 attempt_timed_out op=m001 attempt=1 late_ms=15\n" +
			"c 420 backoff_started op=m001 planned_ms=100\nc 535 backoff_finished op=m001", "1031", true},
	} {
		text := series(11, func(int) string { return "1001 outcome=deadline_exceeded" })
		text = strings.Replace(text, "c 1001 operation_finished op=m001", c.events+"\nc "+c.end+" operation_finished op=m001", 1)
		run, _ := merged(t, text)
		if op := run.Operation("m001"); op.Disturbed != c.disturbed {
			t.Errorf("%s: disturbed %t, stall %v, reasons %v", c.why, op.Disturbed, op.StallMs, op.Reasons)
		}
	}
}

// Cells keep their order, and an empty one is there with nothing in it.
func TestCellsKeepTheirOrder(t *testing.T) {
	run, _ := merged(t, series(3, func(int) string { return "1 outcome=success" }))
	got := timeline.Summarize(run, []timeline.Cell{{Scenario: "empty", Variant: "x", Planned: 90}, {Scenario: "slow", Variant: "operation_deadline"}})
	if len(got) != 2 || got[0].N != 0 || got[0].DurationMs != nil || got[0].Outcomes == nil || got[1].N != 3 || got[1].DurationMs.CI95 != nil {
		t.Errorf("%+v", got)
	}
	if len(got[0].Warnings) != 2 || !strings.Contains(got[1].Warnings[0], "n = 3") {
		t.Errorf("warnings %q and %q", got[0].Warnings, got[1].Warnings)
	}
}

// Warm-ups, helpers and probes are in no series.
func TestOnlyMeasuredOperationsCount(t *testing.T) {
	run, _ := merged(t, `
		c 0 operation_started op=a
		c 1 operation_finished op=a outcome=success
		c 1 operation_started op=b phase=warmup
		c 2 operation_finished op=b outcome=success
		c 2 operation_started op=c phase=probe
		c 3 operation_finished op=c outcome=success
	`)
	if s := only(t, run); s.N != 1 || len(run.Operations) != 3 {
		t.Errorf("n = %d of %d", s.N, len(run.Operations))
	}
}

// The slow_headers history, summed up: stop, waste, timers, and a where that
// adds up with two decimals.
func TestFiguresOfOneOperation(t *testing.T) {
	run, _ := merged(t, slowHeaders)
	s := only(t, run)
	if s.StopMs == nil || s.StopMs.Median != 0.3 || s.CancelToReturnMs != nil || s.WasteMs.Median != 99.8 || *s.HTTPTimerMs != 800 || s.ToHeadersMs != nil {
		t.Errorf("stop %+v, cancel %+v, waste %+v", s.StopMs, s.CancelToReturnMs, s.WasteMs)
	}
	if s.ServerAfterMs == nil || s.ServerAfterMs.Max != 0 || s.FaultLateMs != nil || s.NoiseFloorMs != nil {
		t.Errorf("server after %+v, fault %+v, floor %+v", s.ServerAfterMs, s.FaultLateMs, s.NoiseFloorMs)
	}
	sum := 0.0
	for _, part := range s.Where.Parts() {
		sum += part
	}
	if math.Abs(sum-s.DurationMs.Median) > 1e-9 {
		t.Errorf("where adds up to %v, not to %v", sum, s.DurationMs.Median)
	}
}

// operations.jsonl: a header line, one line for each operation, the same bytes
// each time.
func TestWriteOperations(t *testing.T) {
	run, _ := merged(t, slowHeaders+"c 1001 operation_started op=p\nc 1002.5 operation_finished op=p outcome=refused error=a<b")
	var one, two bytes.Buffer
	if err := timeline.WriteOperations(&one, run.Operations); err != nil {
		t.Fatal(err)
	}
	run, _ = merged(t, slowHeaders+"c 1001 operation_started op=p\nc 1002.5 operation_finished op=p outcome=refused error=a<b")
	if err := timeline.WriteOperations(&two, run.Operations); err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(one.Bytes(), two.Bytes()) {
		t.Error("two merges of the same logs wrote different bytes")
	}
	lines := strings.Split(strings.TrimSpace(one.String()), "\n")
	if len(lines) != 3 || lines[0] != `{"schema":"deadlinelab/operations","schema_version":"1.0.0"}` || !strings.Contains(lines[2], "a<b") {
		t.Errorf("lines %q", lines)
	}
	var back timeline.Operation
	if err := json.Unmarshal([]byte(lines[1]), &back); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(run.Operations[0].Attempts[1].Exchanges, back.Attempts[1].Exchanges); diff != "" {
		t.Error(diff)
	}
}

// A full disk is an error, not a short file.
func TestWriteOperationsReportsItsError(t *testing.T) {
	run, _ := merged(t, slowHeaders)
	if err := timeline.WriteOperations(full{}, run.Operations); err == nil {
		t.Error("no error")
	}
}

type full struct{}

func (full) Write([]byte) (int, error) { return 0, fmt.Errorf("no space left") }
