package console

import (
	"strings"
	"unicode/utf8"
)

// Table sets rows in columns two blanks apart, no wider than width if that is
// not 0.
func Table(rows [][]string, width int) string {
	last := len(rows[0]) - 1
	widths := make([]int, last)
	for _, row := range rows {
		for i := range widths {
			widths[i] = max(widths[i], utf8.RuneCountInString(row[i]))
		}
	}
	var b strings.Builder
	for _, row := range rows {
		head := ""
		for i, w := range widths {
			head += row[i] + strings.Repeat(" ", w+2-utf8.RuneCountInString(row[i]))
		}
		b.WriteString(beside(head, row[last], width))
	}
	return b.String()
}

// leastBeside is the least width for a text beside its head.
const leastBeside = 20

// beside wraps text at blanks, to the right of its head, or below it where there
// is no room.
func beside(head, text string, width int) string {
	indent := utf8.RuneCountInString(head)
	if width > 0 && width < indent+leastBeside {
		head, indent = below(head), 2
	}
	var b strings.Builder
	column := indent
	b.WriteString(head)
	for i, word := range strings.Fields(text) {
		n := utf8.RuneCountInString(word)
		switch {
		case i > 0 && width > 0 && column+1+n > width:
			b.WriteString("\n" + strings.Repeat(" ", indent))
			column = indent
		case i > 0:
			b.WriteString(" ")
			column++
		}
		b.WriteString(word)
		column += n
	}
	return b.String() + "\n"
}

// below is a head whose text begins on the line after it; one without a word has
// no line.
func below(head string) string {
	words := strings.Fields(head)
	if len(words) == 0 {
		return "  "
	}
	return strings.Join(words, " ") + "\n  "
}
