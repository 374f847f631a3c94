package scenario

import (
	"fmt"
)

// WindowText is an expected duration in words, in ms.
func WindowText(d Duration) string {
	switch {
	case !d.IsWindow():
		return fmt.Sprintf("%g ms", d.Ms)
	case d.MinMs == nil:
		return fmt.Sprintf("at most %g ms", *d.MaxMs)
	case d.MaxMs == nil:
		return fmt.Sprintf("at least %g ms", *d.MinMs)
	}
	return fmt.Sprintf("%g … %g ms", *d.MinMs, *d.MaxMs)
}

// CountText is an expected count in words.
func CountText(n Count) string {
	switch {
	case n.Min == nil && n.Max == nil:
		return fmt.Sprint(n.N)
	case n.Min == nil:
		return fmt.Sprintf("at most %d", *n.Max)
	case n.Max == nil:
		return fmt.Sprintf("at least %d", *n.Min)
	}
	return fmt.Sprintf("%d … %d", *n.Min, *n.Max)
}
