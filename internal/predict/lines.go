package predict

import (
	"fmt"
	"io"
	"strings"
	"unicode/utf8"
)

// planColumns is how wide a line of a plan is at most.
const planColumns = 100

// Hang writes text behind head, broken before sep where a line gets too long;
// what goes on stands below the beginning of the text.
func Hang(w io.Writer, head, text, sep string) {
	indent := strings.Repeat(" ", columns(head))
	line := head
	for i, part := range strings.Split(text, sep) {
		switch {
		case i == 0:
			line += part
		case columns(line+sep+part) > planColumns:
			fmt.Fprintln(w, line)
			line = indent + strings.TrimLeft(sep, " ") + part
		default:
			line += sep + part
		}
	}
	fmt.Fprintln(w, line)
}

// columns is the width of a line, with an ellipsis of three dots as in ASCII.
func columns(line string) int {
	return utf8.RuneCountInString(line) + 2*strings.Count(line, "…")
}
