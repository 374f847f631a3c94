package serve

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/deadlinelab/deadlinelab/internal/scenario"
	"github.com/deadlinelab/deadlinelab/internal/timeline"
)

func slowHeaders(t testing.TB) *scenario.Scenario {
	t.Helper()
	s, err := scenario.Load("slow_headers")
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func TestPredictionsRefused(t *testing.T) {
	for body, want := range map[string]string{
		``:  "not the JSON",
		`7`: "not the JSON",
		`{"predictions":[{"variant":"operation_deadline","colour":1}]}`: "unknown field",
		`{"predictions":[]} {}`:                      "goes on after",
		`{"predictions":[{"variant":"no_timeout"}]}`: `predictions[0].variant: found "no_timeout", expected one of ["attempt_timeout" "operation_deadline"]`,
		`{"predictions":[{"variant":"operation_deadline"},{"variant":"operation_deadline"}]}`: "predictions[1].variant: named twice",
		`{"predictions":[{"variant":"operation_deadline","promise":"soon"}]}`:                 `predictions[0].promise: found "soon"`,
		`{"predictions":[{"variant":"operation_deadline","duration_ms":-1}]}`:                 "predictions[0].duration_ms: found -1, expected 0 to 600000",
		`{"predictions":[{"variant":"operation_deadline","duration_ms":1e9}]}`:                "expected 0 to 600000",
		`{"predictions":[{"variant":"operation_deadline","requests":1001}]}`:                  "predictions[0].requests: found 1001, expected 0 to 1000",
		`{"predictions":[{"variant":"operation_deadline","requests":1.5}]}`:                   "not the JSON",
	} {
		if _, err := readPredictions(strings.NewReader(body), slowHeaders(t)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: error %v, expected %q", body, err, want)
		}
	}
}

func TestCompare(t *testing.T) {
	ms, requests := 1100.0, 2
	o := &timeline.Operation{Promise: timeline.Late, DurationMs: 1210, ServerRequests: 3}
	got := compare(prediction{Promise: timeline.Late, DurationMs: &ms, Requests: &requests}, o)
	want := []compared{
		{"promise", "too late, answer or error", "too late, answer or error", true},
		{"duration", "1100 ms", "1210 ms", true}, // within a tenth
		{"requests at the server", "2", "3", false},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	if hits, predicted := right(got); hits != 2 || predicted != 3 {
		t.Errorf("%d of %d right, expected 2 of 3", hits, predicted)
	}
	open := compare(prediction{}, o)
	if _, predicted := right(open); predicted != 0 {
		t.Errorf("%d predictions counted, but nothing was predicted: %+v", predicted, open)
	}
}

// A short duration may be off by 50 ms, a long one by a tenth.
func TestClose(t *testing.T) {
	for _, c := range []struct {
		predicted, measured float64
		right               bool
	}{{70, 20, true}, {71, 20, false}, {900, 1000, true}, {899, 1000, false}, {1101, 1000, false}} {
		got := compare(prediction{DurationMs: &c.predicted}, &timeline.Operation{DurationMs: c.measured})[1]
		if got.Right != c.right {
			t.Errorf("%v predicted, %v measured: right is %t", c.predicted, c.measured, got.Right)
		}
	}
}

// Whatever the body, the answer is an error or predictions within the limits.
func FuzzPredictions(f *testing.F) {
	f.Add(`{"predictions":[{"variant":"operation_deadline","promise":"late","duration_ms":1000,"requests":2}]}`)
	f.Add(`{"predictions":[{"variant":"operation_deadline","duration_ms":1e308}]}`)
	s := slowHeaders(f)
	f.Fuzz(func(t *testing.T, body string) {
		known, err := readPredictions(strings.NewReader(body), s)
		if err != nil {
			return
		}
		if len(known) > len(s.Contrast) {
			t.Errorf("%d predictions for %d variants", len(known), len(s.Contrast))
		}
		for _, p := range known {
			if err := p.check(s); err != nil {
				t.Error(err)
			}
		}
	})
}
