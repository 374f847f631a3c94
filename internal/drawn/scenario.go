// Package drawn draws valid scenarios at random: what nobody would write. Only
// tests use it. The same seed gives the same scenario.
package drawn

import (
	"fmt"
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"

	"github.com/deadlinelab/deadlinelab/internal/fault"
	"github.com/deadlinelab/deadlinelab/internal/scenario"
)

// attempts is how often a scenario that is not valid is drawn anew.
const attempts = 1000

// dice are the draws of one scenario.
type dice struct{ *rand.Rand }

// Scenario draws a scenario of any fault, method, body, callers and limits for
// three of the variants. Waits are short, so that many can run.
func Scenario(seed uint64, variants []string) *scenario.Scenario {
	d := dice{rand.New(rand.NewPCG(seed, 0))}
	var err error
	for range attempts {
		var s *scenario.Scenario
		if s, err = scenario.Parse("drawn.yaml", []byte(d.text(seed, variants))); err == nil {
			return s
		}
	}
	panic(fmt.Sprintf("seed %d gives no scenario: %v", seed, err))
}

// text is a file that is valid, or is refused.
func (d dice) text(seed uint64, variants []string) string {
	three := make([]string, 3)
	for i, k := range d.Perm(len(variants))[:3] {
		three[i] = variants[k]
	}
	return fmt.Sprintf(`name: drawn_%d
question: What does a plan say of what nobody would write?
lesson: The same as a run.
contrast: [%[2]s, %[3]s]
%[5]svariants: [%[2]s, %[3]s, %[4]s]
expect: {%[2]s: {late: true}, %[3]s: {late: true}, %[4]s: {late: true}}
`, seed, three[0], three[1], three[2], d.settings())
}

// settings are those of the operation, its client and its upstream.
func (d dice) settings() string {
	lines := []string{
		fmt.Sprintf("operation: {budget_ms: %s, max_attempts: %s, backoff_ms: %s, jitter: %s, retryable_statuses: %s, retryable_failures: %s}",
			d.one("97", "203", "307", "411"), d.one("1", "2", "3", "4"), d.one("[0]", "[7]", "[19, 43]", "[60, 0]"), d.one("false", "false", "{min_ms: 3, max_ms: 29}"),
			d.one("[503]", "[503]", "[429, 500, 503]", "[]"), d.one("[attempt_timeout]", "[attempt_timeout, transport_error]", "[connect_timeout, connect_error, invalid_data, transport_error]", "[]")),
		fmt.Sprintf("attempt: {total_ms: %s, connect_ms: %s, sock_connect_ms: %s, sock_read_ms: %s}", d.limit(), d.limit(), d.limit(), d.limit()),
		"method: " + d.one("GET", "GET", "HEAD", "POST", "PUT", "PATCH", "DELETE"),
		"scenario: " + d.fault(d.one(fault.Names()...)),
	}
	for _, line := range []string{
		"body_bytes: " + d.one("1", "5000", "300000"),
		"idempotency_key: true",
		"caller_deadline_ms: " + d.one("-5", "0", "71", "171"),
		"slots: " + d.one("1", "2"),
		"pool: " + d.one("{limit: 1}", "{limit_per_host: 1}", "{limit: 2}"),
		fmt.Sprintf("callers: {count: %s, share: %s, start_gap_ms: %s}", d.one("2", "3"), d.one("[]", "[slots]", "[transport]", "[transport, slots]"), d.one("0", "13")),
	} {
		if d.IntN(5) == 0 {
			lines = append(lines, line)
		}
	}
	return strings.Join(lines, "\n") + "\n"
}

func (d dice) one(of ...string) string { return of[d.IntN(len(of))] }

func (d dice) limit() string { return d.one("null", "null", "59", "89", "131") }

// fault is one of that type, some of its fields at their defaults.
func (d dice) fault(name string) string {
	f, _ := fault.New(name)
	keys := append([]string{"type: " + name}, d.fields(reflect.ValueOf(f).Elem())...)
	return "{" + strings.Join(keys, ", ") + "}"
}

func (d dice) fields(v reflect.Value) []string {
	var keys []string
	for i := range v.NumField() {
		key, inline, _ := strings.Cut(v.Type().Field(i).Tag.Get("yaml"), ",")
		switch {
		case inline == "inline":
			keys = append(keys, d.fields(v.Field(i))...)
		case slices.Contains(long, key) || d.IntN(3) > 0:
			keys = append(keys, key+": "+d.value(key, v.Field(i)))
		}
	}
	return keys
}

// long are keys whose defaults last for longer than a drawn scenario should.
var long = []string{"for_ms", "hold_ms", "delay_ms", "handler_cancellation"}

func (d dice) value(key string, v reflect.Value) string {
	switch {
	case values[key] != nil:
		return d.one(values[key]...)
	case key == "steps":
		return d.steps(v)
	case v.Kind() == reflect.Float64:
		return d.one("0", "5", "11", "23", "37", "61", "83", "149")
	case v.Kind() == reflect.Bool:
		return d.one("true", "false")
	case v.Kind() == reflect.Int:
		return d.one("0", "1", "2", "3", "5", "40", "160", "1000")
	}
	return fmt.Sprintf("%q", v.String())
}

// values are those of keys that take not any number.
var values = map[string][]string{
	"status":         {"200", "204", "302", "304", "429", "500", "503", "102"},
	"value":          {"'0'", "'1'", "'-3'", "soon", "'Wed, 21 Oct 1998 07:28:00 GMT'", "'Wed, 21 Oct 2099 07:28:00 GMT'"},
	"date_offset_ms": {"-60000", "200", "1100"},
	"mode":           {"accept", "ignore", "refuse", "delay"},
	"to":             {"''", "''", "refused", "black_hole"},
	"trigger_event":  {"operation_started", "attempt_started", "request_written", "server_request_started", "headers_received", "backoff_started"},
	"hops":           {"1", "2", "9", "10", "12"},
	"body_bytes":     {"1000", "5000", "300000"},
	"chunks":         {"1", "2", "5", "9"},
}

// steps are those of a sequence, or of a script of statuses.
func (d dice) steps(v reflect.Value) string {
	list := make([]string, 1+d.IntN(4))
	for i := range list {
		if v.Type() == reflect.TypeFor[[]fault.Step]() {
			list[i] = fmt.Sprintf("{status: %s, delay_ms: %s}", d.one("200", "204", "429", "503", "503"), d.one("0", "11", "37"))
		} else {
			list[i] = d.fault(d.one(append(fault.Nestable(), "persistent_error", "keep_alive", "redirects")...))
		}
	}
	return "[" + strings.Join(list, ", ") + "]"
}
