package fault

import (
	"fmt"
	"net/http"
	"slices"
	"strings"
	"time"
	"unicode"
)

func init() {
	Register("retry_after", func() Fault {
		return &RetryAfter{Status: http.StatusServiceUnavailable, Value: "5", Times: 1}
	})
}

// RetryAfter answers with a status and a Retry-After header, times exchanges of
// an operation long, then with 200. The header is value as it is written, or with
// as_date the HTTP date that is date_offset_ms from the request, cut to its
// second.
type RetryAfter struct {
	Common          `yaml:",inline"`
	Status          int     `yaml:"status"`
	Value           string  `yaml:"value"`
	AsDate          bool    `yaml:"as_date"`
	DateOffsetMs    float64 `yaml:"date_offset_ms"`
	Times           int     `yaml:"times"`
	ResponseDelayMs float64 `yaml:"response_delay_ms"`
}

// Check returns what is wrong with the fields.
func (f *RetryAfter) Check() []Problem {
	list := problems(
		checkStatus("status", f.Status),
		checkCount("times", f.Times, MaxSteps),
		checkDelay("response_delay_ms", f.ResponseDelayMs),
	)
	if strings.ContainsFunc(f.Value, unicode.IsControl) || len(f.Value) > 200 {
		list = append(list, Problem{Field: "value", Found: fmt.Sprintf("%q", f.Value), Want: "up to 200 characters that a header can hold"})
	}
	if !(f.DateOffsetMs >= -MaxDateOffsetMs && f.DateOffsetMs <= MaxDateOffsetMs) {
		list = append(list, Problem{Field: "date_offset_ms", Found: number(f.DateOffsetMs), Want: "at most a hundred years, in milliseconds"})
	}
	return list
}

// MaxDateOffsetMs is a hundred years.
const MaxDateOffsetMs = 3_155_760_000_000

// Serve answers with the header until its times are over.
func (f *RetryAfter) Serve(ex Exchange) error {
	if ex.Number() > f.Times {
		return respondAfter(ex, ms(f.ResponseDelayMs), http.StatusOK)
	}
	if err := ex.DelayUntil(ex.Started().Add(ms(f.ResponseDelayMs))); err != nil {
		return err
	}
	header := http.Header{"Content-Type": jsonHeader["Content-Type"], "Retry-After": {f.header(ex.Started())}}
	return respondWith(ex, f.Status, header, bodyOf(ex, f.Status))
}

func (f *RetryAfter) header(now time.Time) string {
	if !f.AsDate {
		return f.Value
	}
	return now.Add(ms(f.DateOffsetMs)).UTC().Format(http.TimeFormat)
}

// AwaitsDate reports whether f, or a step of it, has the client wait for a date
// to come, which has whole seconds.
func AwaitsDate(f Fault) bool {
	if s, ok := f.(*Sequence); ok {
		return slices.ContainsFunc(s.Steps, func(n Nested) bool { return AwaitsDate(n.Fault) })
	}
	r, ok := f.(*RetryAfter)
	return ok && r.AsDate && r.DateOffsetMs > 0
}
