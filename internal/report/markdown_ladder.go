package report

import (
	"bytes"
	"fmt"
	"strings"
)

// markdownLadder is the ladder as a table; names lead to the scenarios below.
func markdownLadder(b *bytes.Buffer, m matrix) {
	b.WriteString("### The ladder\n\nWhat each promise was worth, in the order of a request's life: median of the caller's wait in ms.\n\n" + m.markdownSigns() + "\n\n")
	ladderTable(b, m)
}

// markdownSigns explain the cells.
const markdownSigns = "● kept, ■ failed in time, ▲ late, ∞ unbounded, ○ cancelled; ✗ not as expected, ? inconclusive, \\* not every operation."

// markdownSigns explain one more where there is one.
func (m matrix) markdownSigns() string {
	if !m.unsure() {
		return markdownSigns
	}
	return dressOf(string(unsure)).Glyph + " " + dressOf(string(unsure)).Word + ", " + markdownSigns
}

// ladderTable has a row for each scenario under its rung.
func ladderTable(b *bytes.Buffer, m matrix) {
	b.WriteString("| |")
	for _, c := range m.Columns {
		b.WriteString(" " + narrow(c.Label) + " |")
	}
	b.WriteString("\n|---|" + strings.Repeat(":-:|", len(m.Columns)) + "\n")
	for _, rung := range m.Rungs() {
		if rung.Name != "" {
			fmt.Fprintf(b, "| **%s** |%s\n", md(rung.Name), strings.Repeat(" |", len(m.Columns)))
		}
		for _, row := range rung.Rows {
			ladderRow(b, row)
		}
	}
	b.WriteString("\n")
}

func ladderRow(b *bytes.Buffer, row matrixRow) {
	fmt.Fprintf(b, "| [%s](#%s) |", md(row.Scenario), markdownAnchor(row.Scenario))
	for _, c := range row.Cells {
		if c != nil {
			fmt.Fprintf(b, " [%s](#%s)", md(c.signed()), markdownAnchor(row.Scenario))
		}
		b.WriteString(" |")
	}
	b.WriteString("\n")
}

// signed is "▲ 1121?": the promise, the median if there is one, a doubt.
func (c *matrixCell) signed() string {
	if c.Series.NotApplicable != "" {
		return notApplicableWord
	}
	text := c.Dress.Glyph
	if c.Series.DurationMs != nil {
		text += " " + c.Median
	}
	return text + signsOf(false).doubt(c)
}

// narrow lets a long name break after its underscores.
func narrow(name string) string { return strings.ReplaceAll(md(name), "_", "_<br>") }

// markdownAnchor is the address that GitHub gives a heading.
func markdownAnchor(heading string) string { return slug(strings.ToLower(heading)) }
