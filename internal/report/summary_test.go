package report

import (
	"bytes"
	"encoding/json"
	"strings"
	"testing"

	"github.com/deadlinelab/deadlinelab/internal/fixture/inputs"
	"github.com/deadlinelab/deadlinelab/internal/verdict"
	"github.com/deadlinelab/deadlinelab/internal/view"
)

// Fields stand in a fixed order, and what is written is read back the same.
func TestSummaryJSON(t *testing.T) {
	data, err := inputs.Mixed().Summary.JSON()
	if err != nil {
		t.Fatal(err)
	}
	last := -1
	for _, key := range []string{`"schema"`, `"schema_version"`, `"status"`, `"verdict"`, `"counts"`, `"series"`, `"scenario"`, `"variant"`, `"label"`, `"planned"`, `"n"`,
		`"duration_ms"`, `"outcomes"`, `"promise"`, `"attempts"`, `"server_requests"`, `"representative"`, `"checks"`, `"requirement"`, `"expected"`, `"actual"`} {
		at := bytes.Index(data, []byte(key))
		if at <= last {
			t.Errorf("%s is not where it belongs", key)
		}
		last = at
	}
	back, err := verdict.ParseSummary("summary.json", data)
	if err != nil {
		t.Fatal(err)
	}
	again, err := back.JSON()
	if err != nil || !bytes.Equal(data, again) {
		t.Errorf("read back and written again it differs: %v\n%s", err, again)
	}
}

func FuzzParseSummary(f *testing.F) {
	data, err := inputs.Mixed().Summary.JSON()
	if err != nil {
		f.Fatal(err)
	}
	f.Add(data)
	f.Fuzz(func(t *testing.T, data []byte) {
		s, err := verdict.ParseSummary("f", data)
		if err != nil {
			return
		}
		for _, name := range Formats() {
			var b bytes.Buffer
			if err := Write(name, &b, view.Input{Summary: s}); err != nil {
				t.Fatalf("%s: %v", name, err)
			}
			if strings.ContainsRune(b.String(), '\x1b') {
				t.Fatalf("%s let a terminal escape through", name)
			}
		}
		if !json.Valid(data) {
			t.Fatal("accepted what is no JSON")
		}
	})
}
