package clock

import (
	"math"
	"strconv"
	"time"
)

// FromMs is v milliseconds.
func FromMs(v float64) time.Duration { return time.Duration(math.Round(v * float64(time.Millisecond))) }

// InMs is d in milliseconds.
func InMs(d time.Duration) float64 { return float64(d) / float64(time.Millisecond) }

// MsText is a duration for people: "1120 ms", "0.5 ms".
func MsText(d time.Duration) string {
	return strconv.FormatFloat(InMs(d), 'f', -1, 64) + " ms"
}
