package report

import (
	"fmt"

	"github.com/deadlinelab/deadlinelab/internal/timeline"
)

// lateMeans is from where on an operation counted as late in this run: a noisy
// machine moves it, and nobody sees that in a drawing. Empty without a series.
func (s *Summary) lateMeans() string {
	for _, one := range s.Series {
		switch {
		case one.MarginMs > timeline.LeastMarginMs:
			return fmt.Sprintf("more than %.3g ms after the deadline, since 1 in 100 deadlines was later than that on this machine", one.MarginMs)
		case one.MarginMs > 0:
			return fmt.Sprintf("more than %g ms after the deadline", one.MarginMs)
		}
	}
	return ""
}
