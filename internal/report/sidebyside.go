package report

import (
	"fmt"
	"io"
	"strings"

	"github.com/deadlinelab/deadlinelab/internal/textui"
)

// leastColumn is the narrowest column in which source is still readable.
const leastColumn = 40

// SideBySide prints two texts beside each other in so many columns, with the
// lines that differ marked: < only left, > only right, | both differ. Where
// that would be too narrow they are printed one above the other, with the
// lines that differ marked by >.
func SideBySide(w io.Writer, leftName, left, rightName, right string, width int) error {
	rows := align(sourceLines(left), sourceLines(right))
	column := (width - 3) / 2
	text := beside(rows, leftName, rightName, column)
	if column < leastColumn {
		text = above(rows, leftName, rightName)
	}
	if _, err := io.WriteString(w, text); err != nil {
		return fmt.Errorf("side by side: %w", err)
	}
	return nil
}

func sourceLines(text string) []string {
	lines := strings.Split(strings.TrimRight(text, "\n"), "\n")
	for i, l := range lines {
		lines[i] = textui.Plain(strings.ReplaceAll(strings.TrimRight(l, "\r"), "\t", "    "))
	}
	return lines
}

// row is one line of both texts; mark is ' ' where they agree.
type row struct {
	left, right string
	mark        byte
}

// align pairs the longest common subsequence of lines; what lies between two
// common lines is paired in order.
func align(a, b []string) []row {
	common := lengths(a, b)
	var rows []row
	i, j := 0, 0
	for i < len(a) && j < len(b) {
		switch {
		case a[i] == b[j]:
			rows = append(rows, row{a[i], b[j], ' '})
			i, j = i+1, j+1
		case common[i+1][j] >= common[i][j+1]:
			rows = append(rows, row{left: a[i], mark: '<'})
			i++
		default:
			rows = append(rows, row{right: b[j], mark: '>'})
			j++
		}
	}
	for ; i < len(a); i++ {
		rows = append(rows, row{left: a[i], mark: '<'})
	}
	for ; j < len(b); j++ {
		rows = append(rows, row{right: b[j], mark: '>'})
	}
	return pair(rows)
}

// lengths[i][j] is the length of the longest common subsequence of a[i:] and b[j:].
func lengths(a, b []string) [][]int {
	table := make([][]int, len(a)+1)
	for i := range table {
		table[i] = make([]int, len(b)+1)
	}
	for i := len(a) - 1; i >= 0; i-- {
		for j := len(b) - 1; j >= 0; j-- {
			if a[i] == b[j] {
				table[i][j] = table[i+1][j+1] + 1
			} else {
				table[i][j] = max(table[i+1][j], table[i][j+1])
			}
		}
	}
	return table
}

// pair puts lines that replace each other on one row.
func pair(rows []row) []row {
	var out []row
	for start := 0; start < len(rows); {
		if rows[start].mark == ' ' {
			out = append(out, rows[start])
			start++
			continue
		}
		end := start
		for end < len(rows) && rows[end].mark != ' ' {
			end++
		}
		out = append(out, zip(rows[start:end])...)
		start = end
	}
	return out
}

func zip(block []row) []row {
	var lefts, rights []string
	for _, r := range block {
		if r.mark == '<' {
			lefts = append(lefts, r.left)
		} else {
			rights = append(rights, r.right)
		}
	}
	var out []row
	for i := range max(len(lefts), len(rights)) {
		switch {
		case i >= len(rights):
			out = append(out, row{left: lefts[i], mark: '<'})
		case i >= len(lefts):
			out = append(out, row{right: rights[i], mark: '>'})
		default:
			out = append(out, row{lefts[i], rights[i], '|'})
		}
	}
	return out
}

func beside(rows []row, leftName, rightName string, column int) string {
	var b strings.Builder
	line := func(left string, mark byte, right string) {
		b.WriteString(strings.TrimRight(fmt.Sprintf("%-*s %c %s", column, left, mark, right), " ") + "\n")
	}
	line(textui.Plain(leftName), ' ', textui.Plain(rightName))
	line(strings.Repeat("-", column), ' ', strings.Repeat("-", column))
	for _, r := range rows {
		lefts, rights := chop(r.left, column), chop(r.right, column)
		for i := range max(len(lefts), len(rights)) {
			line(piece(lefts, i), r.mark, piece(rights, i))
		}
	}
	return b.String()
}

// chop cuts a long line into pieces: source is never shortened.
func chop(text string, column int) []string {
	pieces := []string{}
	runes := []rune(text)
	for len(runes) > column {
		pieces = append(pieces, string(runes[:column]))
		runes = runes[column:]
	}
	return append(pieces, string(runes))
}

func piece(pieces []string, i int) string {
	if i < len(pieces) {
		return pieces[i]
	}
	return ""
}

func above(rows []row, leftName, rightName string) string {
	var left, right strings.Builder
	for _, r := range rows {
		sign := "  "
		if r.mark != ' ' {
			sign = "> "
		}
		if r.mark != '>' {
			left.WriteString(strings.TrimRight(sign+r.left, " ") + "\n")
		}
		if r.mark != '<' {
			right.WriteString(strings.TrimRight(sign+r.right, " ") + "\n")
		}
	}
	return fmt.Sprintf("%s\n%s\n%s\n%s", textui.Plain(leftName), left.String(), textui.Plain(rightName), right.String())
}
