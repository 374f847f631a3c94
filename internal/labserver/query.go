package labserver

import (
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"
)

const (
	defaultTimeoutMs = 10_000
	maxTimeoutMs     = 600_000
)

// query reads the parameters of a URL; its first problem is kept in err.
type query struct {
	values url.Values
	err    error
}

// parametersOf refuses names that the resource does not know.
func parametersOf(r *http.Request, known ...string) *query {
	values, err := url.ParseQuery(r.URL.RawQuery)
	q := &query{values: values}
	if err != nil {
		q.fail("query: %v", err)
	}
	for name := range values {
		if !slices.Contains(known, name) {
			q.fail("query: unknown parameter %q: expected %s", shorten(name), strings.Join(known, ", "))
		}
	}
	return q
}

func (q *query) fail(format string, args ...any) {
	if q.err == nil {
		q.err = refuse(http.StatusBadRequest, "", format, args...)
	}
}

// number reads a whole number from least to most.
func (q *query) number(name string, otherwise, least, most uint64) uint64 {
	text := q.values.Get(name)
	if text == "" {
		return otherwise
	}
	n, err := strconv.ParseUint(text, 10, 64)
	if err != nil || n < least || n > most {
		q.fail("%s %q: expected %d to %d", name, shorten(text), least, most)
	}
	return n
}

// flag reads true or false.
func (q *query) flag(name string, otherwise bool) bool {
	switch text := q.values.Get(name); text {
	case "":
		return otherwise
	case "true", "false":
		return text == "true"
	default:
		q.fail("%s %q: expected true or false", name, shorten(text))
		return otherwise
	}
}

// timeout reads timeout_ms.
func (q *query) timeout() time.Duration {
	text := q.values.Get("timeout_ms")
	if text == "" {
		return defaultTimeoutMs * time.Millisecond
	}
	v, err := strconv.ParseFloat(text, 64)
	if err != nil || !(v >= 0 && v <= maxTimeoutMs) {
		q.fail("timeout_ms %q: expected 0 to %d", shorten(text), maxTimeoutMs)
	}
	return time.Duration(v * 1e6)
}
