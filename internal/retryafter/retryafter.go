// Package retryafter reads the header Retry-After, for the client that obeys it
// and for the arithmetic of a plan. It imports only the standard library.
package retryafter

import (
	"math"
	"net/http"
	"strings"
	"time"
)

// Parse reads the header's value: seconds, or an HTTP date. It says how long to
// wait from now, and whether the value says anything: a date in the
// past is no wait, more seconds than a duration holds is the longest one, and
// what is neither a number of digits nor a date says nothing.
func Parse(value string, now time.Time) (time.Duration, bool) {
	value = strings.TrimSpace(value)
	if value == "" {
		return 0, false
	}
	if strings.Trim(value, "0123456789") == "" {
		return seconds(value), true
	}
	at, err := http.ParseTime(value)
	if err != nil {
		return 0, false
	}
	return max(0, at.Sub(now)), true
}

// seconds is the duration of a string of digits.
func seconds(digits string) time.Duration {
	const most = int64(math.MaxInt64 / time.Second)
	var n int64
	for _, d := range digits {
		if n = n*10 + int64(d-'0'); n > most {
			return math.MaxInt64
		}
	}
	return time.Duration(n) * time.Second
}
