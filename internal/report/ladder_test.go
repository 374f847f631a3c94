package report

import (
	"bytes"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/deadlinelab/deadlinelab/internal/fault"
	"github.com/deadlinelab/deadlinelab/internal/rundir"
	"github.com/deadlinelab/deadlinelab/internal/scenario"
)

func onRung(rung, name, question string) *scenario.Scenario {
	s := setup(name, question, &fault.SlowHeaders{ResponseDelayMs: 800})
	s.Rung = rung
	return s
}

// ladder is a run of several rungs, written down in another order than theirs:
// every promise, a failure, a doubt, a mix, a series without operations.
func ladder() Input {
	mixed := series("idle_race", "budgeted", "budgeted", "success", "kept", 20.2, "1", "1")
	mixed.Promise = map[string]int{"kept": 88, "failed_in_time": 2}
	empty := series("idle_race", "client_timeout", "client_timeout", "success", "kept", 0, "1", "1")
	empty.N, empty.DurationMs, empty.Promise, empty.Outcomes = 0, nil, nil, nil
	check := func(v Verdict) []Check {
		return []Check{{"outcome", "success", "found otherwise", v, ""}}
	}
	s := &Summary{Status: rundir.Complete, Series: []Series{
		{Series: mixed, Checks: check(Pass)},
		{Series: empty, Checks: check(Inconclusive)},
		{Series: series("body_trickle", "client_timeout", "client_timeout", "attempt_timeout", "failed_in_time", 1001.2, "1", "1"), Checks: check(Pass)},
		{Series: series("body_trickle", "header_timeout", "header_timeout", "success", "late", 2000.9, "1", "1"), Checks: check(Pass)},
		{Series: series("body_trickle", "D", "operation_deadline", "deadline_exceeded", "failed_in_time", 1000.6, "1", "1"), Checks: check(Fail)},
		{Series: series("body_trickle", "B", "attempt_timeout", "cap_reached", "unbounded", 8000.7, "1", "1"), Checks: check(Pass)},
		{Series: series("semaphore_wait", "B", "attempt_timeout", "success", "late", 1120.7, "1", "1"), Checks: check(Pass)},
		{Series: series("semaphore_wait", "D", "operation_deadline", "deadline_exceeded", "failed_in_time", 1000.6, "0", "0"), Checks: check(Pass)},
		{Series: series("cancel_mine", "D", "operation_deadline", "cancelled", "cancelled", 100.6, "1", "1"), Checks: check(Pass)},
	}}
	s.finalize()
	return Input{Summary: s, Scenarios: []*scenario.Scenario{
		onRung("keep_alive", "idle_race", "Who closes first?"), onRung("body", "body_trickle", "Who counts the bytes?"),
		onRung(scenario.CoreRung, "semaphore_wait", "Who counts the queue?"), onRung("", "cancel_mine", "Mine?"),
	}}
}

// manyClients adds more clients than have room for words.
func manyClients() Input {
	in := ladder()
	for n := range 30 {
		name := fmt.Sprintf("client_%c%d", 'a'+n%3, n)
		in.Summary.Series = append(in.Summary.Series, Series{Series: series("body_trickle", name, name, "success", "kept", 20.1, "1", "1")})
	}
	in.Summary.finalize()
	return in
}

func rungNames(m matrix) []string {
	var names []string
	for _, r := range m.Rungs() {
		names = append(names, r.Name)
	}
	return names
}

// Rows stand in the order of a request's life, columns by their letters.
func TestLadderOrder(t *testing.T) {
	in := ladder()
	m := newMatrix(in, in.Summary.groups())
	if got, want := rungNames(m), []string{"admission", "body", "keep_alive", noRung}; !slices.Equal(got, want) {
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
	in := ladder()
	in.Scenarios = in.Scenarios[2:3]
	m := newMatrix(in, in.Summary.groups())
	if got := rungNames(m); !slices.Equal(got, []string{""}) || m.Rows[0].Scenario != "idle_race" {
		t.Errorf("headings %q, first row %s", got, m.Rows[0].Scenario)
	}
}

func TestCodes(t *testing.T) {
	column := func(label, name string) *matrixColumn { return &matrixColumn{Label: label, Variant: name} }
	m := matrix{Columns: []*matrixColumn{column("A", "single_attempt"), column("budgeted", "budgeted"), column("early_cancel", "early_cancel"),
		column("eager_client", "eager_client"), column("x", "x"), column("é", "é"), column("éé", "éé"), column("e", "e_c")}}
	if got, want := m.codes(), []string{"A", "bu", "ec", "ea", "x", "é", "7", "e"}; !slices.Equal(got, want) {
		t.Errorf("codes %q, want %q", got, want)
	}
}

// A caller's own deadline is earlier than the budget's end: lateness counts
// from it.
func TestOverrunOfACallersDeadline(t *testing.T) {
	s := series("nested_deadline", "swallowed_cancel", "swallowed_cancel", "retries_exhausted", "late", 616, "3", "3")
	s.OvershootMs.Median = 316
	c := newMatrixCell(Series{Series: s})
	if c.Overrun() != "by 316 ms" || c.Note != "316 ms late" {
		t.Errorf("%s, %s", c.Overrun(), c.Note)
	}
}

// The ladder as text fits its width, however many clients there are, and each
// client's code is its own.
func TestTextLadder(t *testing.T) {
	for name, in := range map[string]Input{"few": ladder(), "many": manyClients()} {
		var b bytes.Buffer
		textReport{b: &b, in: in}.ladder()
		golden(t, "ladder_"+name+".text.golden", b.Bytes())
		for line := range strings.SplitSeq(b.String(), "\n") {
			if runeLen(line) > 100 {
				t.Errorf("%d columns: %s", runeLen(line), line)
			}
		}
		codes := newMatrix(in, in.Summary.groups()).codes()
		if once := slices.Compact(slices.Sorted(slices.Values(codes))); len(once) != len(codes) {
			t.Errorf("a code occurs twice: %q", codes)
		}
	}
}

func TestTextLadderInASCII(t *testing.T) {
	in := ladder()
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
	in := ladder()
	var b bytes.Buffer
	markdownLadder(&b, newMatrix(in, in.Summary.groups()))
	golden(t, "ladder.markdown.golden", b.Bytes())
}

func TestLadderSVG(t *testing.T) {
	for name, in := range map[string]Input{"few": ladder(), "many": manyClients()} {
		var b bytes.Buffer
		if err := writeMatrixSVG(&b, in); err != nil {
			t.Fatal(err)
		}
		wellFormed(t, b.Bytes())
		golden(t, "ladder_"+name+".svg", b.Bytes())
	}
}

// Every rung heads its rows in the page, and a wide matrix is marked as one.
func TestPageLadder(t *testing.T) {
	_, page, _ := strings.Cut(htmlOf(t, manyClients()), `id="matrix"`)
	last := -1
	for _, piece := range []string{`<table class="matrix wide">`, `<th scope="rowgroup">admission<small>`, `>semaphore_wait</a>`, `<th scope="rowgroup">body<small>`, `>body_trickle</a>`,
		`<th scope="rowgroup">keep_alive<small>`, `>idle_race</a>`, `<th scope="rowgroup">` + noRung + `</th>`, `>cancel_mine</a>`, `<tfoot>`} {
		at := strings.Index(page, piece)
		if at <= last {
			t.Errorf("%q is at %d, what comes before it at %d", piece, at, last)
		}
		last = at
	}
	if narrow := htmlOf(t, measured("slow_headers", slowHeadersB())); strings.Contains(narrow, `"rowgroup"`) || strings.Contains(narrow, "matrix wide") {
		t.Error("a run of one scenario has rungs or a wide matrix")
	}
}
