package compare

import (
	"encoding/json"
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/deadlinelab/deadlinelab/internal/eventlog"
	"github.com/deadlinelab/deadlinelab/internal/timeline"
)

var update = flag.Bool("update", false, "write the golden files")

// everything is a comparison with one series of each kind.
func everything() *Comparison {
	rnd := seeded()
	old, new := &Run{Name: "results/before", NoiseMs: quiet()}, &Run{Name: "results/after", NoiseMs: quiet()}
	pair := func(scenario, variant string, before, after []shape) {
		old.add(rnd, scenario, variant, before...)
		new.add(rnd, scenario, variant, after...)
	}
	failed := func(ms float64, n int) []shape {
		return []shape{{outcome: eventlog.RetriesExhausted, promise: timeline.FailedInTime, ms: ms, attempts: n, requests: n, n: 90}}
	}
	pair("healthy", "deadline_after_admission", []shape{success(90, 20)}, []shape{success(90, 40)})
	pair("healthy", "operation_deadline", []shape{success(90, 20)}, []shape{success(90, 20)})
	pair("healthy", "single_attempt", []shape{success(90, 40)}, []shape{success(88, 20), lateC(2)})
	pair("semaphore_wait", "deadline_after_admission", []shape{lateC(90)}, []shape{deadlineD(90)})
	pair("semaphore_wait", "operation_deadline", []shape{deadlineD(90)}, []shape{deadlineD(4)})
	pair("persistent_error", "operation_deadline", failed(450, 3), failed(200, 2))
	pair("persistent_error", "remaining_budget", failed(200, 2), failed(450, 3))
	pair("persistent_error", "slot_per_attempt", failed(450, 3), failed(420, 3))
	old.add(rnd, "hang", "no_timeout", success(90, 20))
	new.Facts, old.Facts = []Setting{{"go", "go2"}}, []Setting{{"go", "go1"}}
	return Compare(old, new, usual)
}

func TestGolden(t *testing.T) {
	for format, file := range map[string]string{"text": "everything.txt", "markdown": "everything.md", "json": "everything.json"} {
		var b strings.Builder
		if err := everything().Write(format, &b); err != nil {
			t.Fatal(err)
		}
		path := filepath.Join("testdata", file)
		if *update {
			if err := os.WriteFile(path, []byte(b.String()), 0o644); err != nil {
				t.Fatal(err)
			}
		}
		want, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		if b.String() != string(want) {
			t.Errorf("%s differs from %s; -update writes it:\n%s", format, path, &b)
		}
	}
}

// hostile is a comparison whose every string tries to break out.
func hostile() *Comparison {
	const evil = "a|b\n<script>\x1b[31m`*_" + "\u202e"
	rnd := seeded()
	old, new := &Run{Name: evil, NoiseMs: quiet(), Facts: []Setting{{"go", evil}}}, &Run{Name: evil, NoiseMs: quiet(), Incomplete: evil}
	old.add(rnd, evil, evil+strings.Repeat("x", 90), success(90, 20))
	old.add(rnd, evil, "gone", success(90, 20))
	new.add(rnd, evil, evil+strings.Repeat("x", 90), success(90, 20))
	return Compare(old, new, usual)
}

func textOf(t *testing.T, c *Comparison) string {
	t.Helper()
	var b strings.Builder
	if err := c.Write("text", &b); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

func TestTextFits100Columns(t *testing.T) {
	for line := range strings.SplitSeq(textOf(t, everything()), "\n") {
		if utf8.RuneCountInString(line) > 100 {
			t.Errorf("too wide: %q", line)
		}
	}
}

// No string of a run moves, hides or colours other text.
func TestTextIsPlain(t *testing.T) {
	if text := textOf(t, hostile()); strings.ContainsAny(text, "\x1b\r\u202e") {
		t.Errorf("a control character: %q", text)
	}
}

func TestMarkdownIsEscaped(t *testing.T) {
	var b strings.Builder
	if err := hostile().Write("markdown", &b); err != nil {
		t.Fatal(err)
	}
	if strings.Contains(b.String(), "<script>") || strings.ContainsAny(b.String(), "\x1b\u202e") {
		t.Errorf("a string got out:\n%s", &b)
	}
	for line := range strings.SplitSeq(b.String(), "\n") {
		if bars := strings.Count(strings.ReplaceAll(line, `\|`, ""), "|"); strings.HasPrefix(line, "|") && bars != 7 {
			t.Errorf("%d bars in a row of 6 cells: %q", bars, line)
		}
	}
}

func TestJSONNamesItsSchema(t *testing.T) {
	var b strings.Builder
	if err := everything().Write("json", &b); err != nil {
		t.Fatal(err)
	}
	var back Comparison
	if err := json.Unmarshal([]byte(b.String()), &back); err != nil {
		t.Fatal(err)
	}
	if back.Schema != "deadlinelab/compare" || back.SchemaVersion != "1.0.0" || back.Counts.Series != len(back.Series) {
		t.Errorf("schema %q %q, %d of %d series", back.Schema, back.SchemaVersion, len(back.Series), back.Counts.Series)
	}
}

func TestUnknownFormat(t *testing.T) {
	var b strings.Builder
	err := everything().Write("pdf", &b)
	if err == nil || !strings.Contains(err.Error(), `format "pdf": expected text, markdown, json`) || b.Len() > 0 {
		t.Errorf("%v, %d bytes written", err, b.Len())
	}
}

// A doubt about a whole run is said once, not with each of its series.
func TestSharedDoubtIsSaidOnce(t *testing.T) {
	rnd := seeded()
	old, new := recording(rnd, success(90, 20)), recording(rnd, success(90, 60))
	old.add(rnd, "hang", "no_timeout", success(90, 20))
	new.add(rnd, "hang", "no_timeout", success(90, 20))
	new.NoiseMs = []float64{6}
	c := Compare(old, new, usual)
	for _, format := range []string{"text", "markdown"} {
		var b strings.Builder
		if err := c.Write(format, &b); err != nil {
			t.Fatal(err)
		}
		if n := strings.Count(strings.Join(strings.Fields(b.String()), " "), "machine was noisy"); n != 1 {
			t.Errorf("%s says it %d times:\n%s", format, n, &b)
		}
	}
}
