package wording

import (
	"fmt"
)

// MsText is whole milliseconds, below ten with one decimal: what a person
// needs to see. Exact figures are in the records.
func MsText(ms float64) string {
	if ms > -10 && ms < 10 {
		return fmt.Sprintf("%.1f", ms)
	}
	return fmt.Sprintf("%.0f", ms)
}
