// Package nearest finds the name that somebody probably meant. It imports only
// the standard library, so that every package may use it.
package nearest

import (
	"fmt"
	"strings"
)

// DidYouMean is `; did you mean "x"?` for the candidate nearest to name, and
// empty when none is near: at most a third of the letters may differ, or two,
// but never more than half: "tls" is no slip for "all".
func DidYouMean(name string, candidates []string) string {
	best, distance := "", min(max(2, len(name)/3), len(name)/2)+1
	for _, c := range candidates {
		if d := edits(strings.ToLower(name), strings.ToLower(c)); d < distance {
			best, distance = c, d
		}
	}
	if best == "" {
		return ""
	}
	return fmt.Sprintf("; did you mean %q?", best)
}

// edits is the Levenshtein distance in bytes.
func edits(a, b string) int {
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := range len(a) {
		diagonal := row[0]
		row[0] = i + 1
		for j := range len(b) {
			substituted := diagonal
			if a[i] != b[j] {
				substituted++
			}
			diagonal = row[j+1]
			row[j+1] = min(substituted, row[j]+1, row[j+1]+1)
		}
	}
	return row[len(b)]
}
