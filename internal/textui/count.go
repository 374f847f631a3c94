// Package textui makes text for people: numbers with their nouns, wrapped
// lines, and what may be printed of a text from outside.
package textui

import (
	"fmt"
)

// Count is n with its noun: "1 attempt", "2 attempts".
func Count(n int, what string) string {
	if n == 1 {
		return "1 " + what
	}
	return fmt.Sprintf("%d %ss", n, what)
}
