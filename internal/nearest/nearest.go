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

// edits is the Levenshtein distance in bytes; two neighbours in each other's
// place are one edit.
func edits(a, b string) int {
	rows := make([][]int, len(a)+1)
	for i := range rows {
		rows[i] = make([]int, len(b)+1)
		for j := range rows[i] {
			rows[i][j] = i + j
			if i > 0 && j > 0 {
				rows[i][j] = oneMore(rows, a, b, i, j)
			}
		}
	}
	return rows[len(a)][len(b)]
}

// oneMore is the distance of a[:i] and b[:j] by those of what is shorter.
func oneMore(rows [][]int, a, b string, i, j int) int {
	substituted := rows[i-1][j-1]
	if a[i-1] != b[j-1] {
		substituted++
	}
	least := min(substituted, rows[i-1][j]+1, rows[i][j-1]+1)
	if i > 1 && j > 1 && a[i-1] == b[j-2] && a[i-2] == b[j-1] {
		least = min(least, rows[i-2][j-2]+1)
	}
	return least
}
