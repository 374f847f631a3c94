package verdict

import (
	"fmt"
	"slices"
	"strings"

	"github.com/deadlinelab/deadlinelab/internal/eventlog"
	"github.com/deadlinelab/deadlinelab/internal/timeline"
)

// LateMeans is from where on an operation counted as late in this run: a noisy
// machine moves it, and nobody sees that in a drawing. Empty without a series.
func (s *Summary) LateMeans() string {
	if own := s.startupMargins(); own != "" {
		return strings.TrimPrefix(s.sharedMargin()+"; "+own, "; ")
	}
	return s.sharedMargin()
}

// sharedMargin is that of every client that has no start-up of its own.
func (s *Summary) sharedMargin() string {
	for _, one := range s.Series {
		switch {
		case one.Client == eventlog.ExecClient || one.NotApplicable != "":
		case one.MarginMs > timeline.LeastMarginMs:
			return fmt.Sprintf("more than %s ms after the deadline, since 1 in 100 deadlines was later than that on this machine", threeDigits(one.MarginMs))
		case one.MarginMs > 0:
			return fmt.Sprintf("more than %g ms after the deadline", one.MarginMs)
		}
	}
	return ""
}

// startupMargins are those of clients that are a process per operation: start-ups
// vary more than timers.
func (s *Summary) startupMargins() string {
	var parts []string
	for _, one := range s.Series {
		if one.StartupMs == nil {
			continue
		}
		if part := fmt.Sprintf("more than %s ms for %s, whose start-ups vary", threeDigits(one.MarginMs), one.Label); !slices.Contains(parts, part) {
			parts = append(parts, part)
		}
	}
	return strings.Join(parts, "; ")
}

// threeDigits is a number from 0 on with three digits that say something, or
// all that it has before the point, but never with an exponent.
func threeDigits(x float64) string {
	if x >= 999.5 {
		return fmt.Sprintf("%.0f", x)
	}
	return fmt.Sprintf("%.3g", x)
}
