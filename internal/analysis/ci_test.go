package analysis

import (
	"bytes"
	"github.com/deadlinelab/deadlinelab/internal/console"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// step is a Streams whose environment has only the step's summary.
func step(file string) (console.Streams, *bytes.Buffer) {
	notes := &bytes.Buffer{}
	return console.NewStreams(nil, nil, notes, func(name string) string {
		if name == "GITHUB_STEP_SUMMARY" {
			return file
		}
		return ""
	}), notes
}

func content(t *testing.T, file string) string {
	t.Helper()
	data, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

// Reports follow what is already there, each with a blank line above it.
func TestStepSummaryAppends(t *testing.T) {
	file := filepath.Join(t.TempDir(), "summary.md")
	s, notes := step(file)
	AppendStepSummary(s, []byte("## one\n"))
	AppendStepSummary(s, []byte("## two\n"))
	if got, want := content(t, file), "## one\n\n\n## two\n"; got != want || notes.Len() > 0 {
		t.Errorf("got %q, notes %q", got, notes)
	}
}

// A report that does not fit is cut after a line; the file never exceeds what
// GitHub takes.
func TestStepSummaryLimit(t *testing.T) {
	file := filepath.Join(t.TempDir(), "summary.md")
	s, notes := step(file)
	line := "| " + strings.Repeat("x", 97) + "\n"
	AppendStepSummary(s, []byte(strings.Repeat(line, 6_000)))
	AppendStepSummary(s, []byte(strings.Repeat(line, 6_000)))
	got := content(t, file)
	if len(got) > 1<<20 || len(got) < 1<<20-len(line)-len(cutNote) || !strings.HasSuffix(got, "x"+cutNote) {
		t.Errorf("%d bytes, ending in %q", len(got), got[len(got)-200:])
	}
	if notes.Len() > 0 {
		t.Errorf("notes %q", notes)
	}
	AppendStepSummary(s, []byte(line))
	if !strings.Contains(notes.String(), "note: the step's summary lacks the report") || content(t, file) != got {
		t.Errorf("a full summary: notes %q, %d bytes", notes, len(content(t, file)))
	}
}

// A file that cannot be written is a note; without one nothing is said.
func TestStepSummaryTrouble(t *testing.T) {
	s, notes := step(t.TempDir())
	AppendStepSummary(s, []byte("## one\n"))
	if !strings.HasPrefix(notes.String(), "note: the step's summary lacks the report: GITHUB_STEP_SUMMARY: ") {
		t.Errorf("notes %q", notes)
	}
	s, notes = step("")
	AppendStepSummary(s, []byte("## one\n"))
	if notes.Len() > 0 {
		t.Errorf("notes %q", notes)
	}
}

func TestFit(t *testing.T) {
	room := int64(len(cutNote)) + 5
	for _, c := range []struct{ text, want string }{
		{"a\n", "a\n"},
		{"a\nb\n" + strings.Repeat("c", 200), "a\nb" + cutNote},
		{strings.Repeat("c", 200), ""},
	} {
		if got := string(fit([]byte(c.text), room)); got != c.want {
			t.Errorf("%q became %q", c.text, got)
		}
	}
}
