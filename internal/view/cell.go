package view

import (
	"fmt"
	"strings"

	"github.com/deadlinelab/deadlinelab/internal/textui"
	"github.com/deadlinelab/deadlinelab/internal/timeline"
	"github.com/deadlinelab/deadlinelab/internal/verdict"
	"github.com/deadlinelab/deadlinelab/internal/wording"
)

// Cell is one series.
type Cell struct {
	Series  verdict.Series
	ID      string           // of its place in the page
	Promise timeline.Promise // typical, as far as it is known; empty without an operation
	Dress   wording.Dress    // of that
	Median  string
	Note    string // the promise in words, with its figure
	Mix     string // what other operations got; empty if all got the same
	Verdict VerdictMark
}

// VerdictMark is the small sign of a verdict, and its words.
type VerdictMark struct{ Sign, Word, Class string }

// VerdictMarks are the signs of the verdicts.
var VerdictMarks = map[verdict.Verdict]VerdictMark{verdict.Pass: {"✓", "as expected", "pass"}, verdict.Fail: {"✗", "not as expected", "fail"},
	verdict.Inconclusive: {"?", "inconclusive", "inconclusive"}, verdict.Unjudged: {"–", "nothing expected", "unjudged"}, verdict.NotApplicable: {"", "not applicable", "na"}}

// InTime reports whether the typical caller is known to have been served or told in
// time.
func (c *Cell) InTime() bool { return wording.InTime(c.Promise) }

// Overrun is by how much the typical operation was late.
func (c *Cell) Overrun() string {
	if c.Series.DurationMs == nil || c.Promise == timeline.Unbounded {
		return "without end"
	}
	return "by " + wording.MsText(overrun(c.Series)) + " ms"
}

// overrun is the median distance from the deadline in ms, which is the caller's
// own where that is earlier than the budget's end.
func overrun(s verdict.Series) float64 {
	if s.OvershootMs != nil {
		return s.OvershootMs.Median
	}
	return s.DurationMs.Median - s.BudgetMs
}

// NewMatrixCell returns the cell of a series.
func NewMatrixCell(s verdict.Series) *Cell {
	promise := wording.TypicalPromise(s.Series)
	c := &Cell{Series: s, ID: SeriesID(s), Promise: promise, Dress: wording.DressOf(string(promise)), Median: wording.Unknown, Verdict: VerdictMarks[s.Verdict]}
	if s.NotApplicable != "" {
		c.Dress, c.Median = wording.NotApplicableDress, wording.NotApplicableWord
	}
	c.Note = c.Dress.Word
	if d := s.JudgedMs(); d != nil {
		c.Median = wording.MsText(d.Median)
		if promise == timeline.Late {
			c.Note = fmt.Sprintf("%s ms late", wording.MsText(overrun(s)))
		}
	}
	if len(s.Promise) > 1 && promise != wording.Unsure {
		c.Mix = otherPromises(s)
	}
	return c
}

// Title is the cell in words.
func (c *Cell) Title() string { return CellTitle(c) }

// otherPromises is "2 late" beside the commonest promise.
func otherPromises(s verdict.Series) string {
	var parts []string
	for _, k := range wording.Keys(s.Promise, wording.PromiseOrder)[1:] {
		parts = append(parts, fmt.Sprintf("%d %s", s.Promise[k], wording.DressOf(k).Word))
	}
	return strings.Join(parts, ", ")
}

// Ended is "in time after 1001 ms", or "late by 120 ms".
func (c *Cell) Ended() string {
	if c.InTime() || c.Promise == wording.Unsure {
		return fmt.Sprintf("%s after %s ms", c.Dress.Word, c.Median)
	}
	return "late " + c.LateBy()
}

// Signed is "▲ 1121?": the promise, the median if there is one, a doubt.
func (c *Cell) Signed() string {
	if c.Series.NotApplicable != "" {
		return wording.NotApplicableWord
	}
	text := c.Dress.Glyph
	if c.Series.DurationMs != nil {
		text += " " + c.Median
	}
	return text + c.Doubt("✗")
}

// CellTitle is a cell in words.
func CellTitle(c *Cell) string {
	if c.Series.NotApplicable != "" {
		return textui.Plain(fmt.Sprintf("%s, %s: not applicable: %s", c.Series.Scenario, textui.FullName(c.Series.Label, c.Series.Variant), c.Series.NotApplicable))
	}
	text := fmt.Sprintf("%s, %s: %s, median %s ms of %g; verdict %s", c.Series.Scenario, textui.FullName(c.Series.Label, c.Series.Variant), c.Note, c.Median, c.Series.BudgetMs, c.Series.Verdict)
	if c.Mix != "" {
		text += "; also " + c.Mix
	}
	if net := c.Series.NetOf; net != "" {
		text += "; " + net
	}
	return textui.Plain(text)
}

// Doubt is the weightiest doubt about a cell; fail is the sign of a failure.
func (c *Cell) Doubt(fail string) string {
	switch {
	case c.Series.Verdict == verdict.Fail:
		return fail
	case c.Series.Verdict == verdict.Inconclusive:
		return "?"
	case c.Mix != "":
		return "*"
	}
	return ""
}

// Rank orders cells: those in time first.
func (c *Cell) Rank() int {
	if c.InTime() {
		return 0
	}
	return 1
}

// LateBy is by how much the typical operation was late; empty if it was not.
func (c *Cell) LateBy() string {
	switch {
	case c.InTime() || c.Promise == wording.Unsure:
		return ""
	case c.Series.DurationMs == nil || c.Promise == timeline.Unbounded:
		return "without end"
	}
	return wording.MsText(overrun(c.Series)) + " ms"
}
