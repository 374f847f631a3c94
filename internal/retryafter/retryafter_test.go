package retryafter

import (
	"math"
	"net/http"
	"testing"
	"time"
)

func TestParse(t *testing.T) {
	now := time.Date(2031, 5, 6, 7, 8, 9, 0, time.UTC)
	in := func(d time.Duration) string { return now.Add(d).Format(http.TimeFormat) }
	for _, c := range []struct {
		name, value string
		want        time.Duration
		ok          bool
	}{
		{"seconds", "5", 5 * time.Second, true},
		{"with blanks", " 5\t", 5 * time.Second, true},
		{"leading zeros", "0000000000000000000000007", 7 * time.Second, true},
		{"0", "0", 0, true},
		{"negative", "-5", 0, false},
		{"signed", "+5", 0, false},
		{"fraction", "1.5", 0, false},
		{"date", in(90 * time.Second), 90 * time.Second, true},
		{"date of RFC 850", now.Add(time.Minute).Format("Monday, 02-Jan-06 15:04:05 GMT"), time.Minute, true},
		{"now", in(0), 0, true},
		{"past date", in(-time.Hour), 0, true},
		{"date before any other", "Thu, 01 Jan 1601 00:00:00 GMT", 0, true},
		{"date far ahead", "Fri, 31 Dec 9999 23:59:59 GMT", math.MaxInt64, true},
		{"largest", "9223372036", 9223372036 * time.Second, true},
		{"larger", "9223372037", math.MaxInt64, true},
		{"huge", "99999999999999999999999999999999999999", math.MaxInt64, true},
		{"digits of another script", "٥", 0, false},
		{"garbage", "soon", 0, false},
		{"empty", "", 0, false},
		{"blank", "  ", 0, false},
	} {
		if got, ok := Parse(c.value, now); got != c.want || ok != c.ok {
			t.Errorf("%s: Parse(%q) = %s, %t, want %s, %t", c.name, c.value, got, ok, c.want, c.ok)
		}
	}
}

// Whatever a server sends, the wait is none or one forward, and a value that
// says nothing is no wait.
func FuzzParse(f *testing.F) {
	for _, seed := range []string{"", "0", "5", "-5", "99999999999999999999", "Tue, 06 May 2031 07:09:39 GMT", "Mon, 01 Jan 0001 00:00:00 GMT", "soon", "5 5", "\x00"} {
		f.Add(seed)
	}
	now := time.Date(2031, 5, 6, 7, 8, 9, 0, time.UTC)
	f.Fuzz(func(t *testing.T, value string) {
		got, ok := Parse(value, now)
		if got < 0 || !ok && got != 0 {
			t.Errorf("Parse(%q) = %s, %t", value, got, ok)
		}
		if again, _ := Parse(" "+value+" ", now); again != got {
			t.Errorf("Parse(%q) = %s, with blanks around it %s", value, got, again)
		}
	})
}
