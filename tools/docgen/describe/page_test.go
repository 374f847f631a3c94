package describe

import (
	"os"
	"reflect"
	"strings"
	"testing"

	"github.com/deadlinelab/deadlinelab/internal/scenario"
)

// The page says what the files hold today.
func TestPage(t *testing.T) {
	want, err := Page()
	if err != nil {
		t.Fatal(err)
	}
	got, err := os.ReadFile("../../../docs/files.md")
	if err != nil || string(got) != want {
		t.Errorf("docs/files.md is not what the code makes: `go generate ./schema` writes it (%v)", err)
	}
	for line := range strings.Lines(want) {
		if strings.HasPrefix(line, "| `") && strings.Contains(line, "|  |") {
			t.Errorf("a key without a kind or a meaning: %s", line)
		}
	}
}

// What is said of plan.yaml by hand leaves no key out.
func TestPageOfThePlan(t *testing.T) {
	page, err := Page()
	if err != nil {
		t.Fatal(err)
	}
	for _, of := range []any{scenario.Plan{}, scenario.Cell{}, scenario.Client{}, scenario.ClientSetting{}, scenario.ExitOutcome{}} {
		for f := range reflect.TypeOf(of).Fields() {
			key, _, _ := strings.Cut(f.Tag.Get("yaml"), ",")
			if key == "" || !strings.Contains(page, "`"+key+"`") {
				t.Errorf("%T: %s (%q) is not in docs/files.md", of, f.Name, key)
			}
		}
	}
}
