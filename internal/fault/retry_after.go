package fault

import (
	"net/http"
	"strconv"
	"strings"
	"time"
)

// RetryWait is the wait that a Retry-After header asks for: whole seconds, or
// an HTTP date, which counts from now and may be past (negative). It is false
// for anything else.
func RetryWait(header string, now time.Time) (time.Duration, bool) {
	text := strings.TrimSpace(header)
	if seconds, err := strconv.ParseInt(text, 10, 64); err == nil && seconds >= 0 {
		return time.Duration(min(seconds, int64(Forever/time.Second))) * time.Second, true
	}
	if at, err := http.ParseTime(text); err == nil {
		return at.Sub(now), true
	}
	return 0, false
}
