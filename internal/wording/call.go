package wording

import (
	"fmt"
	"strings"

	"github.com/deadlinelab/deadlinelab/internal/scenario"
	"github.com/deadlinelab/deadlinelab/internal/textui"
)

// CallText says what is not plain in a call: its request, its caller's own
// deadline, and who calls beside it. Empty for one GET.
func CallText(s *scenario.Scenario) string {
	var parts []string
	for _, part := range []string{requestText(s), callerDeadlineText(s.CallerDeadlineMs), callersText(s.Callers)} {
		if part != "" {
			parts = append(parts, part)
		}
	}
	return strings.Join(parts, "; ")
}

func requestText(s *scenario.Scenario) string {
	var with []string
	if s.BodyBytes > 0 {
		with = append(with, fmt.Sprintf("a body of %d bytes", s.BodyBytes))
	}
	if s.IdempotencyKey {
		with = append(with, "an idempotency key")
	}
	switch {
	case len(with) > 0:
		return s.Method + " with " + strings.Join(with, " and ")
	case s.Method == "GET":
		return ""
	}
	return s.Method
}

func callerDeadlineText(ms *float64) string {
	switch {
	case ms == nil:
		return ""
	case *ms <= 0:
		return "the caller's own deadline has passed on arrival"
	}
	return fmt.Sprintf("the caller's own deadline %g ms", *ms)
}

func callersText(c *scenario.Callers) string {
	if c == nil {
		return ""
	}
	text := textui.CountOrNo(c.Count, "caller") + " of one client"
	if c.StartGapMs > 0 {
		text += fmt.Sprintf(", %g ms apart", c.StartGapMs)
	} else {
		text += " at once"
	}
	if len(c.Share) > 0 {
		text += ", sharing " + strings.Join(c.Share, " and ")
	}
	return text
}
