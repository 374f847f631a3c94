package wording

import (
	"fmt"

	"github.com/deadlinelab/deadlinelab/internal/timeline"
)

// RawText is the median as it was measured, beside a net one.
func RawText(s timeline.Series) string {
	if s.NetDurationMs == nil || s.DurationMs == nil {
		return ""
	}
	return fmt.Sprintf("raw %.1f", s.DurationMs.Median)
}

// About are the lines that a series of a client in another process needs
// besides its figures.
func About(s timeline.Series) []string {
	var list []string
	add := func(when bool, format string, args ...any) {
		if when {
			list = append(list, fmt.Sprintf(format, args...))
		}
	}
	add(s.NotApplicable != "", "Not applicable: %s.", s.NotApplicable)
	net := s.NetOf
	add(net != "" && s.N > 0, "Its figures are %s.", net)
	add(len(s.ErrorTypes) > 0, "Errors that its caller would catch: %s.", Mix(s.ErrorTypes, nil))
	return list
}

// NotApplicableWord stands in a table where a client cannot be measured, and
// NotApplicableMeans explains it.
const NotApplicableWord = "n/a"

const NotApplicableMeans = "not applicable: the bench cannot bring the client into that wait from outside, or cannot see it there; neither for it nor against it, and without weight in the verdict"
