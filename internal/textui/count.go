// Package textui makes text for people: numbers with their nouns, wrapped
// lines, and what may be printed of a text from outside.
package textui

import "fmt"

// Count is n with its noun: "0 attempts", "1 attempt", "2 attempts".
func Count(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return fmt.Sprintf("%d %ss", n, noun)
}

// CountOrNo is Count in a sentence: "no attempt", "1 attempt".
func CountOrNo(n int, noun string) string {
	if n == 0 {
		return "no " + noun
	}
	return Count(n, noun)
}
