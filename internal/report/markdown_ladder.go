package report

import (
	"bytes"
	"fmt"
	"strings"

	"github.com/deadlinelab/deadlinelab/internal/textui"
	"github.com/deadlinelab/deadlinelab/internal/view"
)

// markdownLadder is the ladder as a table; names lead to the scenarios below.
func markdownLadder(b *bytes.Buffer, m view.Matrix) {
	b.WriteString("### The ladder\n\nWhat each promise was worth, in the order of a request's life: median of the caller's wait in ms.\n\n" + m.MarkdownSigns() + "\n\n")
	LadderTable(b, m)
}

// LadderTable has a row for each scenario under its rung.
func LadderTable(b *bytes.Buffer, m view.Matrix) {
	b.WriteString("| |")
	for _, c := range m.Columns {
		b.WriteString(" " + narrow(c.Label) + " |")
	}
	b.WriteString("\n|---|" + strings.Repeat(":-:|", len(m.Columns)) + "\n")
	for _, rung := range m.Rungs() {
		if rung.Name != "" {
			fmt.Fprintf(b, "| **%s** |%s\n", textui.Markdown(rung.Name), strings.Repeat(" |", len(m.Columns)))
		}
		for _, row := range rung.Rows {
			ladderRow(b, row)
		}
	}
	b.WriteString("\n")
}

func ladderRow(b *bytes.Buffer, row view.Row) {
	fmt.Fprintf(b, "| [%s](#%s) |", textui.Markdown(row.Scenario), markdownAnchor(row.Scenario))
	for _, c := range row.Cells {
		if c != nil {
			fmt.Fprintf(b, " [%s](#%s)", textui.Markdown(c.Signed()), markdownAnchor(row.Scenario))
		}
		b.WriteString(" |")
	}
	b.WriteString("\n")
}

// narrow lets a long name break after its underscores.
func narrow(name string) string { return strings.ReplaceAll(textui.Markdown(name), "_", "_<br>") }

// markdownAnchor is the address that GitHub gives a heading.
func markdownAnchor(heading string) string { return view.Slug(strings.ToLower(heading)) }
