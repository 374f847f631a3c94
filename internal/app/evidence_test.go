package app

import (
	"bytes"
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/deadlinelab/deadlinelab/internal/analysis"
	"github.com/deadlinelab/deadlinelab/internal/console"
	"github.com/deadlinelab/deadlinelab/internal/exit"
	"github.com/deadlinelab/deadlinelab/internal/rundir"
)

// closed is a complete run directory in the form of this bench, in a results
// directory of its own.
func (w written) closed(t *testing.T) string {
	t.Helper()
	path := w.at(t, "closed")
	editRun(t, path, func(run map[string]any) {
		run["schema_version"] = rundir.RunSchemaVersion
		var list []rundir.Evidence
		for _, name := range rundir.EvidenceFiles {
			e, err := rundir.ReadEvidence(name, bytes.NewReader(readFile(t, path, name)))
			if err != nil {
				t.Fatal(err)
			}
			list = append(list, e)
		}
		run["evidence"] = list
	})
	return path
}

func readFile(t *testing.T, path, name string) []byte {
	t.Helper()
	data, err := os.ReadFile(filepath.Join(path, name))
	if err != nil {
		t.Fatal(err)
	}
	return data
}

func edit(t *testing.T, path, name string, change func(text string) string) {
	t.Helper()
	before := string(readFile(t, path, name))
	after := change(before)
	if after == before {
		t.Fatalf("%s was not changed", name)
	}
	if err := os.WriteFile(filepath.Join(path, name), []byte(after), 0o644); err != nil {
		t.Fatal(err)
	}
}

func editRun(t *testing.T, path string, change func(run map[string]any)) {
	t.Helper()
	edit(t, path, rundir.RunFile, func(text string) string {
		var run map[string]any
		if err := json.Unmarshal([]byte(text), &run); err != nil {
			t.Fatal(err)
		}
		change(run)
		data, err := json.Marshal(run)
		if err != nil {
			t.Fatal(err)
		}
		return string(data)
	})
}

// reading is a command that reads a run; it returns its code and what it wrote
// for whoever reads its document.
type reading struct {
	name  string
	read  func(s console.Streams, path string) (int, error)
	quiet bool // its document does not say what it read
}

func readers(t *testing.T) []reading {
	other := quick(20.1).closed(t)
	list := []reading{
		{"analyze --check", func(s console.Streams, path string) (int, error) { return analysis.Analyze(s, path, true) }, true},
		{"validate", func(s console.Streams, path string) (int, error) { return Validate(s, []string{path}) }, false},
	}
	for _, format := range analysis.Formats() {
		list = append(list, reading{"report --check --format " + format, func(s console.Streams, path string) (int, error) {
			return analysis.Report(s, analysis.ReportOptions{Dir: path, Format: format, Output: "-", Check: true})
		}, false})
	}
	for _, format := range CompareFormats() {
		for _, swapped := range []bool{false, true} {
			list = append(list, reading{"compare --format " + format, func(s console.Streams, path string) (int, error) {
				o := CompareOptions{Old: path, New: other, MarginMs: 5, MarginPercent: 3, Format: format, Output: "-", OnInconclusive: "warn"}
				if swapped {
					o.Old, o.New = o.New, o.Old
				}
				return Compare(s, o)
			}, false})
		}
	}
	return list
}

func (r reading) of(path string) (code int, out, errs string, err error) {
	var b, e bytes.Buffer
	code, err = r.read(console.NewStreams(nil, &b, &e, func(string) string { return "" }), path)
	return code, b.String(), e.String(), err
}

// What is changed in a run is said by whoever reads it, in its document, and
// nothing is green. What no bench writes is refused.
func TestEveryReaderFindsAChange(t *testing.T) {
	doubted := map[string]struct {
		file   string
		change func(text string) string
	}{
		"another expectation": {rundir.PlanFile, func(text string) string {
			return strings.Replace(text, "outcome: success", "outcome: success, late: false", 1)
		}},
		"a client's log without its last line": {rundir.ClientLog, func(text string) string {
			return text[:strings.LastIndex(strings.TrimSuffix(text, "\n"), "\n")+1]
		}},
		"an earlier end":             {rundir.ClientLog, func(text string) string { return strings.Replace(text, `"late_ms":0.5`, `"late_ms":0.4`, 1) }},
		"a line of something else":   {rundir.ClientLog, func(text string) string { return strings.Replace(text, "\n", "\n# a note\n", 1) }},
		"a blank line at the end":    {rundir.ServerLog, func(text string) string { return text + "\n" }},
		"a server's log with a byte": {rundir.ServerLog, func(text string) string { return strings.TrimSuffix(text, "\n") + " \n" }},
	}
	for name, c := range doubted {
		path := quick(20).closed(t)
		edit(t, path, c.file, c.change)
		for _, r := range readers(t) {
			code, out, errs, err := r.of(path)
			if want := map[bool]int{true: exit.Expectation, false: exit.Inconclusive}[r.name == "validate"]; code != want || err != nil {
				t.Errorf("%s, %s: exit %d, %v, expected %d:\n%s", name, r.name, code, err, want, out)
			}
			if text := map[bool]string{true: errs, false: out}[r.quiet]; !strings.Contains(text, c.file) {
				t.Errorf("%s, %s: no word of %s in:\n%s", name, r.name, c.file, text)
			}
		}
		cache := newReportCache(filepath.Dir(path))
		if page, err := cache.HTML(context.Background(), filepath.Base(path)); err != nil || !bytes.Contains(page, []byte("not what it was")) {
			t.Errorf("%s, the page: %v", name, err)
		}
		if list, err := cache.List(); err != nil || len(list) != 1 || list[0].Verdict != "inconclusive" {
			t.Errorf("%s, the list: %+v, %v", name, list, err)
		}
	}
	refused := map[string]func(run map[string]any){
		"no tallies":   func(run map[string]any) { run["tallies"] = nil },
		"no evidence":  func(run map[string]any) { delete(run, "evidence") },
		"a clock off":  func(run map[string]any) { run["clock"] = map[string]any{"shared": true, "offset_ns": 1e9} },
		"lost below 0": func(run map[string]any) { run["tallies"].([]any)[0].(map[string]any)["lost"] = -1 },
	}
	for name, change := range refused {
		path := quick(20).closed(t)
		editRun(t, path, change)
		for _, r := range readers(t) {
			if code, out, _, err := r.of(path); exit.CodeOf(err) != exit.Usage || !strings.Contains(err.Error(), rundir.RunFile) {
				t.Errorf("%s, %s: exit %d, %v, expected 64:\n%s", name, r.name, code, err, out)
			}
		}
	}
}

// A whole run is read without a word about it; an older one and one that ended
// early with one note; an older one without tallies proves nothing.
func TestWhatHasNoDigestsIsNoted(t *testing.T) {
	aborted := quick(20)
	aborted.status = rundir.Aborted
	bare := quick(20).at(t, "bare")
	editRun(t, bare, func(run map[string]any) { delete(run, "tallies") })
	for _, c := range []struct {
		name, path      string
		notes, code     int
		valid, compared int
	}{
		{"closed", quick(20).closed(t), 0, exit.OK, exit.OK, exit.OK},
		{"older", quick(20).at(t, "older"), 1, exit.OK, exit.OK, exit.OK},
		{"ended early", aborted.at(t, "aborted"), 1, exit.Incomplete, exit.OK, exit.Incomplete},
		{"without tallies", bare, 1, exit.Inconclusive, exit.Expectation, exit.Inconclusive},
	} {
		for _, r := range readers(t) {
			want := c.code
			switch {
			case r.name == "validate":
				want = c.valid
			case strings.HasPrefix(r.name, "compare"):
				want = c.compared
			}
			code, out, errs, err := r.of(c.path)
			if code != want || err != nil {
				t.Errorf("%s, %s: exit %d, %v, expected %d:\n%s", c.name, r.name, code, err, want, out)
			}
			if n := strings.Count(errs, "no digests"); n != c.notes {
				t.Errorf("%s, %s: %d notes, expected %d: %s", c.name, r.name, n, c.notes, errs)
			}
		}
	}
}
