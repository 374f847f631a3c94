package report

import (
	"fmt"
	"slices"
	"strings"

	"github.com/deadlinelab/deadlinelab/internal/timeline"
)

// rawText is the median as it was measured, beside a net one.
func rawText(s timeline.Series) string {
	if s.NetDurationMs == nil || s.DurationMs == nil {
		return ""
	}
	return fmt.Sprintf("raw %.1f", s.DurationMs.Median)
}

// about are the lines that a series of a client in another process needs
// besides its figures.
func about(s timeline.Series) []string {
	var list []string
	add := func(when bool, format string, args ...any) {
		if when {
			list = append(list, fmt.Sprintf(format, args...))
		}
	}
	add(s.NotApplicable != "", "Not applicable: %s.", s.NotApplicable)
	net := s.NetOf
	add(net != "" && s.N > 0, "Its figures are %s.", net)
	add(len(s.ErrorTypes) > 0, "Errors that its caller would catch: %s.", mix(s.ErrorTypes, nil))
	return list
}

// unreportedMeans is why some clients have figures that are not known; empty
// if all are.
func (s *Summary) unreportedMeans() string {
	var list []string
	for _, one := range s.Series {
		if b := one.UnreportedBecause; b != "" && !slices.Contains(list, b) {
			list = append(list, b)
		}
	}
	if len(list) == 0 {
		return ""
	}
	return "not reported: " + strings.Join(list, "; ")
}

// What is said of a series whose client cannot be measured in its scenario.
const (
	notApplicableWord  = "n/a"
	notApplicableMeans = "not applicable: the bench cannot bring the client into that wait from outside, or cannot see it there; neither for it nor against it, and without weight in the verdict"
)

// external tells whether a client in a process of its own was measured.
func (s *Summary) external() bool {
	return slices.ContainsFunc(s.Series, func(one Series) bool { return one.Client != "" })
}

// Elsewhere is where being in time depends on the length of a start-up, and
// where the variant cannot be measured.
func (c *matrixColumn) Elsewhere() string {
	var text string
	if c.Undecided > 0 {
		text = fmt.Sprintf("; too close to its start-up to tell in %d", c.Undecided)
	}
	if c.NotApplicable > 0 {
		text += fmt.Sprintf("; not applicable in %d", c.NotApplicable)
	}
	return text
}
