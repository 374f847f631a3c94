package report

import (
	"bytes"
	"html"
	"strings"
	"testing"

	"github.com/deadlinelab/deadlinelab/internal/verdict"
	"github.com/deadlinelab/deadlinelab/internal/view"
)

// The policy is the one that a page names itself.
func TestPagePolicy(t *testing.T) {
	var b bytes.Buffer
	if err := Write("html", &b, view.Input{Summary: &verdict.Summary{}}); err != nil {
		t.Fatal(err)
	}
	if want := `content="` + PagePolicy() + `"`; !strings.Contains(html.UnescapeString(b.String()), want) {
		t.Errorf("the page lacks %s", want)
	}
}
