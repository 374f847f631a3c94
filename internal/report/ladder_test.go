package report

import (
	"bytes"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/deadlinelab/deadlinelab/internal/fixture"
	"github.com/deadlinelab/deadlinelab/internal/fixture/inputs"
	"github.com/deadlinelab/deadlinelab/internal/textui"
	"github.com/deadlinelab/deadlinelab/internal/verdict"
	"github.com/deadlinelab/deadlinelab/internal/view"
)

func rungNames(m view.Matrix) []string {
	var names []string
	for _, r := range m.Rungs() {
		names = append(names, r.Name)
	}
	return names
}

// Rows stand in the order of a request's life, columns by their letters.
func TestLadderOrder(t *testing.T) {
	in := inputs.Ladder()
	m := view.NewMatrix(in, in.Summary.Groups())
	if got, want := rungNames(m), []string{"admission", "body", "keep_alive", "on no rung"}; !slices.Equal(got, want) {
		t.Errorf("rungs %q, want %q", got, want)
	}
	var columns []string
	for _, c := range m.Columns {
		columns = append(columns, c.Label)
	}
	if want := []string{"B", "D", "budgeted", "client_timeout", "header_timeout"}; !slices.Equal(columns, want) {
		t.Errorf("columns %q, want %q", columns, want)
	}
	for _, row := range m.Rows {
		for i, c := range row.Cells {
			if c != nil && (c.Series.Scenario != row.Scenario || c.Series.Label != columns[i]) {
				t.Errorf("%s of %s stands under %s in %s", c.Series.Label, c.Series.Scenario, columns[i], row.Scenario)
			}
		}
	}
}

// The core alone keeps its order and has no headings.
func TestCoreIsNoLadder(t *testing.T) {
	in := inputs.Ladder()
	in.Scenarios = in.Scenarios[2:3]
	m := view.NewMatrix(in, in.Summary.Groups())
	if got := rungNames(m); !slices.Equal(got, []string{""}) || m.Rows[0].Scenario != "idle_race" {
		t.Errorf("headings %q, first row %s", got, m.Rows[0].Scenario)
	}
}

func TestCodes(t *testing.T) {
	column := func(label, name string) *view.Column { return &view.Column{Label: label, Variant: name} }
	m := view.Matrix{Columns: []*view.Column{column("A", "single_attempt"), column("budgeted", "budgeted"), column("early_cancel", "early_cancel"),
		column("eager_client", "eager_client"), column("x", "x"), column("é", "é"), column("éé", "éé"), column("e", "e_c")}}
	if got, want := m.Codes(), []string{"A", "bu", "ec", "ea", "x", "é", "7", "e"}; !slices.Equal(got, want) {
		t.Errorf("codes %q, want %q", got, want)
	}
}

// A caller's own deadline is earlier than the budget's end: lateness counts
// from it.
func TestOverrunOfACallersDeadline(t *testing.T) {
	s := fixture.Series("nested_deadline", "swallowed_cancel", "swallowed_cancel", "retries_exhausted", "late", 616, "3", "3")
	s.OvershootMs.Median = 316
	c := view.NewMatrixCell(verdict.Series{Series: s})
	if c.Overrun() != "by 316 ms" || c.Note != "316 ms late" {
		t.Errorf("%s, %s", c.Overrun(), c.Note)
	}
}

// The ladder as text fits its width, however many clients there are, and each
// client's code is its own.
func TestTextLadder(t *testing.T) {
	for name, in := range map[string]view.Input{"few": inputs.Ladder(), "many": inputs.ManyClients()} {
		var b bytes.Buffer
		textReport{b: &b, in: in}.ladder()
		fixture.Golden(t, "ladder_"+name+".text.golden", b.Bytes())
		for line := range strings.SplitSeq(b.String(), "\n") {
			if textui.Width(line) > 100 {
				t.Errorf("%d columns: %s", textui.Width(line), line)
			}
		}
		codes := view.NewMatrix(in, in.Summary.Groups()).Codes()
		if once := slices.Compact(slices.Sorted(slices.Values(codes))); len(once) != len(codes) {
			t.Errorf("a code occurs twice: %q", codes)
		}
	}
}

func TestTextLadderInASCII(t *testing.T) {
	in := inputs.Ladder()
	in.ASCII = true
	var b bytes.Buffer
	if err := Write("text", &b, in); err != nil {
		t.Fatal(err)
	}
	if bad := regexp.MustCompile(`[^\x00-\x7f]|\\u`).FindString(b.String()); bad != "" {
		t.Errorf("%q occurs in\n%s", bad, b.String())
	}
	if !regexp.MustCompile(`(?m)^ body_trickle +U  f! \.  f  L$`).MatchString(b.String()) {
		t.Errorf("the row of body_trickle is not as drawn by hand:\n%s", b.String())
	}
}

func TestMarkdownLadder(t *testing.T) {
	in := inputs.Ladder()
	var b bytes.Buffer
	markdownLadder(&b, view.NewMatrix(in, in.Summary.Groups()))
	fixture.Golden(t, "ladder.markdown.golden", b.Bytes())
}

func TestLadderSVG(t *testing.T) {
	for name, in := range map[string]view.Input{"few": inputs.Ladder(), "many": inputs.ManyClients()} {
		var b bytes.Buffer
		if err := writeMatrixSVG(&b, in); err != nil {
			t.Fatal(err)
		}
		wellFormed(t, b.Bytes())
		fixture.Golden(t, "ladder_"+name+".svg", b.Bytes())
	}
}

// Every rung heads its rows in the page, and a wide matrix is marked as one.
func TestPageLadder(t *testing.T) {
	_, page, _ := strings.Cut(htmlOf(t, inputs.ManyClients()), `id="matrix"`)
	last := -1
	for _, piece := range []string{`<table class="matrix wide">`, `<th scope="rowgroup">admission<small>`, `>semaphore_wait</a>`, `<th scope="rowgroup">body<small>`, `>body_trickle</a>`,
		`<th scope="rowgroup">keep_alive<small>`, `>idle_race</a>`, `<th scope="rowgroup">` + "on no rung" + `</th>`, `>cancel_mine</a>`, `<tfoot>`} {
		at := strings.Index(page, piece)
		if at <= last {
			t.Errorf("%q is at %d, what comes before it at %d", piece, at, last)
		}
		last = at
	}
	if narrow := htmlOf(t, measured("slow_headers", fixture.SlowHeadersB())); strings.Contains(narrow, `"rowgroup"`) || strings.Contains(narrow, "matrix wide") {
		t.Error("a run of one scenario has rungs or a wide matrix")
	}
}
