package compare

import (
	"bytes"
	"strings"
	"unicode/utf8"

	"github.com/deadlinelab/deadlinelab/internal/textui"
)

// columns is the width of the text: a projector's.
const columns = 100

// textColumns are the widths of the first three columns; the verdict is last.
var textColumns = [...]int{26, 22, 33}

// writeText is the comparison for a terminal, the verdict last, where the eye
// is.
func writeText(b *bytes.Buffer, c *Comparison) error {
	t := text{b}
	t.hang("old   ", c.Old.text())
	t.hang("new   ", c.New.text())
	if c.Doubt != "" {
		t.hang("doubt ", c.Doubt+": every series is inconclusive")
	}
	for _, n := range c.Notes {
		t.hang("note  ", n)
	}
	scenario := ""
	for i, s := range c.Series {
		if i == 0 || s.Scenario != scenario {
			scenario = s.Scenario
			t.heading(scenario)
		}
		t.series(s, c.Doubt)
	}
	t.line("")
	t.lacking("only old has  ", c.OnlyOld)
	t.lacking("only new has  ", c.OnlyNew)
	t.legend()
	t.line("verdict: " + c.summary())
	return nil
}

type text struct{ b *bytes.Buffer }

func (t text) line(line string) { t.b.WriteString(strings.TrimRight(line, " ") + "\n") }

func (t text) hang(head, body string) {
	for _, l := range textui.Hang(head, textui.Plain(body), columns) {
		t.line(l)
	}
}

func (t text) heading(scenario string) {
	t.line("")
	t.hang("", scenario)
	t.row("variant", "median, ms", "difference [95 %] of margin, ms", "verdict")
	t.line(strings.Repeat("─", columns))
}

func (t text) row(cells ...string) {
	var line strings.Builder
	for i, c := range cells {
		line.WriteString(c)
		if i < len(textColumns) {
			line.WriteString(strings.Repeat(" ", max(0, textColumns[i]-utf8.RuneCountInString(c))+2))
		}
	}
	t.line(line.String())
}

// series is one line, one more for each further outcome, and what there is to
// say about it.
func (t text) series(s Series, doubt string) {
	name, mark := cut(textui.Plain(s.variant())), s.Verdict.Mark()
	switch {
	case s.Ending.Changed:
		t.row(name, "outcomes changed", "", mark)
	case len(s.Times) == 0:
		t.row(name, "–", "–", mark)
	}
	for i, one := range s.Times {
		if i > 0 {
			name, mark = "  "+string(one.Outcome), one.Verdict.Mark()
		}
		t.row(name, one.medians(), one.difference(), mark)
	}
	for _, r := range s.remarks(doubt) {
		t.hang("    ", r)
	}
}

func cut(name string) string {
	if runes := []rune(name); len(runes) > textColumns[0] {
		return string(runes[:textColumns[0]-1]) + "…"
	}
	return name
}

func (t text) lacking(head string, list []Name) {
	if len(list) > 0 {
		t.hang(head, joined(list))
		t.line("")
	}
}

func (t text) legend() {
	t.hang("difference  ", "of the medians, new minus old, within one outcome; over: past the deadline, the overshoot is compared")
	t.hang("~           ", "no difference: the whole interval lies within the margin")
	t.line("")
}
