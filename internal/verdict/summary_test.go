package verdict

import (
	"math"
	"strings"
	"testing"

	"github.com/deadlinelab/deadlinelab/internal/rundir"
	"github.com/deadlinelab/deadlinelab/internal/timeline"
)

func TestRequire(t *testing.T) {
	tests := []struct {
		requirement string
		promise     map[string]int
		want        Verdict
	}{
		{"kept", map[string]int{"kept": 90}, Pass},
		{"kept", map[string]int{"kept": 89, "failed_in_time": 1}, Fail},
		{"bounded", map[string]int{"kept": 45, "failed_in_time": 45}, Pass},
		{"bounded", map[string]int{"kept": 89, "late": 1}, Fail},
		{"bounded", map[string]int{"failed_in_time": 89, "unbounded": 1}, Fail},
	}
	for _, test := range tests {
		s := deadlineSeries(1000)
		s.Promise, s.Late = test.promise, test.promise["late"]
		s.OvershootMs = &timeline.Quantiles{Max: 120}
		summary := Judge(nil, []timeline.Series{s}, nil)
		if err := Require(summary, test.requirement); err != nil {
			t.Fatal(err)
		}
		if summary.Verdict != test.want || summary.Series[0].Verdict != test.want {
			t.Errorf("%s of %v: %s, want %s", test.requirement, test.promise, summary.Verdict, test.want)
		}
	}
	none := Judge(nil, []timeline.Series{{Planned: 6}}, nil)
	if err := Require(none, "bounded"); err != nil || none.Verdict != Inconclusive {
		t.Errorf("no operation is %s (%v), want inconclusive", none.Verdict, err)
	}
	if err := Require(none, "fast"); err == nil {
		t.Error("an unknown requirement was accepted")
	}
}

func TestExitCode(t *testing.T) {
	tests := []struct {
		status  rundir.Status
		verdict Verdict
		warn    bool
		want    int
	}{
		{rundir.Complete, Pass, false, 0}, {rundir.Complete, Unjudged, false, 0}, {rundir.Complete, Fail, true, 10},
		{rundir.Complete, Inconclusive, false, 12}, {rundir.Complete, Inconclusive, true, 0},
		{rundir.Aborted, Fail, false, 13}, {rundir.Running, Pass, false, 13},
	}
	for _, test := range tests {
		if got := ExitCode(&Summary{Status: test.status, Verdict: test.verdict}, test.warn); got != test.want {
			t.Errorf("%+v: got %d", test, got)
		}
	}
}

func TestParseSummaryRefuses(t *testing.T) {
	for name, text := range map[string]string{
		"no JSON":      `{`,
		"other schema": `{"schema":"deadlinelab/run","schema_version":"1.0.0"}`,
		"newer major":  `{"schema":"deadlinelab/summary","schema_version":"2.0.0"}`,
	} {
		if _, err := ParseSummary("x/summary.json", []byte(text)); err == nil || !strings.HasPrefix(err.Error(), "x/summary.json: ") {
			t.Errorf("%s: %v", name, err)
		}
	}
	if _, err := ParseSummary("f", []byte(`{"schema":"deadlinelab/summary","schema_version":"1.9.0","verdict":"pass","later":1}`)); err != nil {
		t.Errorf("a later minor version: %v", err)
	}
}

func TestNoNaN(t *testing.T) {
	s := &Summary{Series: []Series{{Series: timeline.Series{BudgetMs: math.NaN()}}}}
	if _, err := s.JSON(); err == nil {
		t.Error("NaN was written")
	}
}
