package textui

import (
	"fmt"
	"strings"
)

var asciiWords = strings.NewReplacer("·", "-", "─", "-", "…", "...", "–", "-", "—", "-", "’", "'", "“", `"`, "”", `"`, "×", "x", "≤", "<=", "≥", ">=", "→", "->", "−", "-", "±", "+/-")

// SpellSigns spells the signs that bench writes for a person in ASCII, and
// leaves every other character as it is.
func SpellSigns(text string) string { return asciiWords.Replace(text) }

// ToASCII spells what is left beyond ASCII, such as a question's own letters,
// as escapes.
func ToASCII(text string) string {
	var b strings.Builder
	for _, r := range SpellSigns(text) {
		if r < 0x80 {
			b.WriteRune(r)
		} else {
			fmt.Fprintf(&b, `\u%04x`, r)
		}
	}
	return b.String()
}
