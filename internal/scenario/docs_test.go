package scenario

import (
	"os"
	"reflect"
	"regexp"
	"strings"
	"testing"

	"github.com/deadlinelab/deadlinelab/internal/eventlog"
	"github.com/deadlinelab/deadlinelab/internal/fault"
)

const docsFile = "../../docs/scenarios.md"

func docs(t *testing.T) string {
	t.Helper()
	data, err := os.ReadFile(docsFile)
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

// The worked example loads.
func TestDocsExample(t *testing.T) {
	blocks := regexp.MustCompile("(?s)```yaml\n(name: .*?)```").FindAllStringSubmatch(docs(t), -1)
	if len(blocks) == 0 {
		t.Fatal("no example in the docs")
	}
	for _, b := range blocks {
		if _, err := Parse("docs/scenarios.md", []byte(b[1])); err != nil {
			t.Errorf("%v\n%s", err, b[1])
		}
	}
}

// The error message in the docs is one that the loader makes.
func TestDocsMessage(t *testing.T) {
	text := edit(t, "operation: {budget_ms: 1000}", "operation:\n  budgt_ms: 1000")
	_, err := Parse("my_scenario.yaml", []byte(text))
	var message string
	for _, e := range err.(Errors) {
		if e.Key == "operation.budgt_ms" {
			message = e.Error()
		}
	}
	if message == "" || !strings.Contains(docs(t), message) {
		t.Errorf("not in the docs: %s", message)
	}
}

// Every scenario that ships is in the list of its rung.
func TestDocsListEveryScenario(t *testing.T) {
	text := docs(t)
	for _, s := range All() {
		line := regexp.MustCompile("(?m)^\\| " + s.Rung + " \\|.*$").FindString(text)
		if !strings.Contains(line, "`"+s.Name+"`") {
			t.Errorf("%s is not listed under %s", s.Name, s.Rung)
		}
	}
}

// Every key, type, outcome and range of the code is in the docs.
func TestDocsAreComplete(t *testing.T) {
	text := docs(t)
	doc := defaults()
	missing(t, text, fieldsOf(reflect.ValueOf(&doc).Elem()))
	missing(t, text, fieldsOf(reflect.ValueOf(&doc.Operation).Elem()))
	missing(t, text, fieldsOf(reflect.ValueOf(&doc.Attempt).Elem()))
	missing(t, text, fieldsOf(reflect.ValueOf(&Expect{}).Elem()))
	for _, name := range fault.Names() {
		f, _ := fault.New(name)
		u := &upstream{Type: name, Fault: f}
		row := regexp.MustCompile("(?m)^\\| `" + name + "` .*$").FindString(text)
		if row == "" {
			t.Errorf("the type %s is not in the docs", name)
		}
		for _, f := range u.fields() {
			if f.key != "type" && f.key != "handler_cancellation" && !strings.Contains(row, "`"+f.key) {
				t.Errorf("%s: the key %s is not in its row", name, f.key)
			}
		}
	}
	for key := range reserved {
		mentions(t, text, "`"+key+"`")
	}
	for _, o := range eventlog.Outcomes {
		mentions(t, text, "`"+string(o)+"`")
	}
	for path, k := range keys {
		if _, inPlan := planKeys[path]; k.bounded() && !inPlan && path != "expect.*.attempts" {
			mentions(t, text, strings.Replace(k.rangeText(), "-", "−", 1))
		}
	}
}

var planKeys = map[string]bool{"repeats": true, "operations": true, "groups": true}

func missing(t *testing.T, text string, fs []field) {
	t.Helper()
	for _, f := range fs {
		if !strings.Contains(text, "`"+f.key+"`") && !strings.Contains(text, "### "+f.key) {
			t.Errorf("the key %s is not in the docs", f.key)
		}
	}
}

func mentions(t *testing.T, text, what string) {
	t.Helper()
	if !strings.Contains(text, what) {
		t.Errorf("%s is not in the docs", what)
	}
}
