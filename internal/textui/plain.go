package textui

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Plain makes text from a scenario file or a log safe to print: control
// characters, terminal escapes, line ends, invalid bytes and characters that
// reorder or hide text become visible escapes.
func Plain(text string) string {
	clean := true
	for _, r := range text {
		clean = clean && printable(r)
	}
	if clean {
		return text
	}
	var b strings.Builder
	for len(text) > 0 {
		r, n := utf8.DecodeRuneInString(text)
		b.WriteString(escaped(r, text[:n]))
		text = text[n:]
	}
	return b.String()
}

func printable(r rune) bool {
	return r != utf8.RuneError && (r == ' ' || unicode.IsGraphic(r) && !unicode.IsSpace(r))
}

func escaped(r rune, raw string) string {
	switch {
	case r == utf8.RuneError && len(raw) == 1:
		return fmt.Sprintf(`\x%02x`, raw[0])
	case r == utf8.RuneError || printable(r):
		return raw
	case r == '\n':
		return `\n`
	case r == '\t':
		return `\t`
	case r < 0x100:
		return fmt.Sprintf(`\x%02x`, r)
	}
	return fmt.Sprintf(`\u%04x`, r)
}

// Width is how many columns text takes, each character one.
func Width(text string) int { return utf8.RuneCountInString(text) }

// Cut shortens text to a number of columns; rest stands for what is cut off.
func Cut(text string, columns int, rest string) string {
	if Width(text) <= columns {
		return text
	}
	return string([]rune(text)[:columns-Width(rest)]) + rest
}

// Wrap breaks text at blanks; every line is indented.
func Wrap(text string, columns int, indent string) []string {
	return Flowed(strings.Fields(text), " ", columns, indent)
}

// Flowed sets pieces side by side as long as they fit; a piece is never broken.
func Flowed(pieces []string, gap string, columns int, indent string) []string {
	var lines []string
	line := indent
	for i, piece := range pieces {
		if line != indent && Width(line)+Width(gap)+Width(piece) > columns {
			lines = append(lines, line)
			line = indent
		}
		if line != indent && i > 0 {
			line += gap
		}
		line += piece
	}
	return append(lines, line)
}

// Hang wraps text beside its head, or below a head that takes more than half of
// a line: what is beside it would be one word a line.
func Hang(head, text string, columns int) []string {
	if Width(head) > columns/2 {
		return hangBelow(head, text, columns)
	}
	lines := Wrap(text, columns, strings.Repeat(" ", Width(head)))
	lines[0] = head + lines[0][Width(head):]
	return lines
}

// below is how much further in than its head a text begins that goes on below it.
const below = "    "

func hangBelow(head, text string, columns int) []string {
	indent := head[:len(head)-len(strings.TrimLeft(head, " "))]
	lines := Wrap(head+" "+text, columns, indent+below)
	lines[0] = indent + strings.TrimLeft(lines[0], " ")
	return lines
}
