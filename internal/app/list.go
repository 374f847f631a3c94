package app

import (
	"fmt"
	"io"
	"strings"
	"unicode/utf8"

	"github.com/deadlinelab/deadlinelab/internal/scenario"
	"github.com/deadlinelab/deadlinelab/internal/variants"
)

// ListScenarios prints the embedded scenarios with their rungs and questions,
// those of some rungs or all of them, in the order of a request's life.
func ListScenarios(s Streams, rungs ...string) error {
	list, err := scenario.Ladder(), error(nil)
	if len(rungs) > 0 {
		if list, err = onRungs(rungs); err != nil {
			return err
		}
	}
	rows := [][]string{{"SCENARIO", "RUNG", "QUESTION"}}
	for _, sc := range list {
		rows = append(rows, []string{sc.Name, sc.StallPoint(), sc.Question})
	}
	if err := s.list(rows); err != nil {
		return err
	}
	if isTerminal(s.Out) {
		fmt.Fprintln(s.Err, "\nnext: bench demo semaphore_wait")
	}
	return nil
}

// ListVariants prints every registered variant with what it does. One without a
// letter is called by its name.
func ListVariants(s Streams) error {
	rows := [][]string{{"LETTER", "VARIANT", "WHAT IT DOES"}}
	for _, v := range variants.All() {
		label := v.Label
		if label == v.Name {
			label = ""
		}
		rows = append(rows, []string{label, v.Name, v.Summary})
	}
	return s.list(rows)
}

// list prints rows in columns. On a terminal the last column is wrapped beside
// the others; elsewhere a row is a line, for grep.
func (s Streams) list(rows [][]string) error {
	_, err := io.WriteString(s.text(), table(rows, s.listWidth()))
	return err
}

// beside prints one such row.
func (s Streams) beside(head, text string) error {
	_, err := io.WriteString(s.text(), beside(head, text, s.listWidth()))
	return err
}

// listWidth is 0 where a row stays a line.
func (s Streams) listWidth() int {
	if isTerminal(s.Out) {
		return columns(s.Out, 80)
	}
	return 0
}

// table sets rows in columns two blanks apart, no wider than width if that is
// not 0.
func table(rows [][]string, width int) string {
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
