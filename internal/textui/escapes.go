package textui

import (
	"strings"
)

// Markdown escapes text for a cell of a markdown table and for any line of markdown.
func Markdown(text string) string {
	var b strings.Builder
	previous := ' '
	for _, r := range Plain(text) {
		switch {
		case r == '<':
			b.WriteString("&lt;")
		case r == '>':
			b.WriteString("&gt;")
		case r == '&':
			b.WriteString("&amp;")
		case strings.ContainsRune("\\`*[]|~#!", r), r == '_' && !wordy(previous):
			b.WriteString("\\" + string(r))
		default:
			b.WriteRune(r)
		}
		previous = r
	}
	return b.String()
}

// wordy letters keep an underscore from opening an emphasis.
func wordy(r rune) bool {
	return r >= '0' && r <= '9' || r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r == '_'
}

// Code is a command to copy; what could end the code span or the cell is taken out.
func Code(text string) string {
	return "`" + strings.NewReplacer("`", "'", "|", `\|`).Replace(Plain(text)) + "`"
}
