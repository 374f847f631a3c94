// Package scenario reads scenario files: strict YAML in, Scenario out, every
// error with file:line:column. The positions of all keys are kept so that
// later checks (plan, ties) can point into the file as well.
//
// Milliseconds end in Ms, may be fractional and count from t0 unless a field
// says otherwise. keys.go holds what each key means, with its range; docs/scenarios.md
// shows it.
package scenario

import (
	"fmt"
	"math"
	"slices"
	"time"

	"github.com/deadlinelab/deadlinelab/internal/eventlog"
	"github.com/deadlinelab/deadlinelab/internal/fault"
)

// Scenario is one file: a question, the client's settings, what the upstream
// does, and what each variant is expected to show.
type Scenario struct {
	Name      string
	Question  string
	Lesson    string
	Rung      string   // stall point in a request's life; "core" for the study's
	Contrast  []string // the two variants that demo and slides show
	Operation Operation
	Attempt   Limits
	Pool      *Pool
	Slots     int // admission; 0 = no admission

	Method           string   // of every request
	BodyBytes        int64    // length of the request body
	IdempotencyKey   bool     // every attempt carries the operation's id as its Idempotency-Key
	CallerDeadlineMs *float64 // the caller's own deadline, from t0; nil = none, 0 or less = expired on arrival
	Callers          *Callers // nil = one caller a client
	CapMs            *float64 // hard cap: when the bench ends an operation that nothing else ends, from t0; nil = three times the budget and 5 s

	Type     string
	Fault    fault.Fault
	Variants []string
	Expect   map[string]Expect // by variant name

	File string              // where it came from, for messages
	Pos  map[string]Position // "expect.operation_deadline.duration_ms" -> place of its value
}

// Position is a place in a file, both counted from 1.
type Position struct{ Line, Column int }

// Operation is what the caller asked for, and the retry policy.
type Operation struct {
	BudgetMs          float64            `yaml:"budget_ms"`
	MaxAttempts       int                `yaml:"max_attempts"`
	BackoffMs         []float64          `yaml:"backoff_ms"` // a list that is too short repeats its last entry
	Jitter            *Jitter            `yaml:"jitter"`     // nil = false
	RetryableStatuses []int              `yaml:"retryable_statuses"`
	RetryableFailures []eventlog.Outcome `yaml:"retryable_failures"`
}

// Jitter is added to every backoff, drawn uniformly from the run's seed.
type Jitter struct {
	MinMs float64 `yaml:"min_ms"`
	MaxMs float64 `yaml:"max_ms"`
}

// Limits are the four limits inside one attempt in milliseconds; nil = none.
type Limits struct {
	TotalMs       *float64 `yaml:"total_ms"`
	ConnectMs     *float64 `yaml:"connect_ms"`
	SockConnectMs *float64 `yaml:"sock_connect_ms"`
	SockReadMs    *float64 `yaml:"sock_read_ms"`
}

// Pool bounds the connections of the client; 0 = no limit.
type Pool struct {
	Limit        int `yaml:"limit"`
	LimitPerHost int `yaml:"limit_per_host"`
}

// Callers are several callers of one client: the operations of one plan item.
type Callers struct {
	Count      int      `yaml:"count"`
	Share      []string `yaml:"share"`        // of ShareTransport and ShareSlots; what is not shared is each caller's own
	StartGapMs float64  `yaml:"start_gap_ms"` // between the starts of two callers
}

// What callers of one client can share.
const (
	ShareTransport = "transport"
	ShareSlots     = "slots"
)

// CallersOf is how many callers an item of the scenario has.
func (s *Scenario) CallersOf() int {
	if s.Callers == nil {
		return 1
	}
	return s.Callers.Count
}

// Cap is the hard cap: how long after t0 the bench ends an operation that
// nothing else has ended.
func (s *Scenario) Cap() time.Duration {
	if s.CapMs != nil {
		return time.Duration(math.Round(*s.CapMs * 1e6))
	}
	return DefaultCap(s.Operation.BudgetMs)
}

// DefaultCap is the hard cap of a budget where nothing else is said.
func DefaultCap(budgetMs float64) time.Duration {
	return time.Duration(math.Round(budgetMs*3e6)) + 5*time.Second
}

// LeastCapMs is what a hard cap must be above, so that who is late can be seen
// to return.
func (s *Scenario) LeastCapMs() float64 { return s.Operation.BudgetMs + smallestMarginMs }

// Shares tells whether the callers of one client have this in common.
func (s *Scenario) Shares(what string) bool {
	return s.Callers != nil && slices.Contains(s.Callers.Share, what)
}

// CallersQueue tells whether the callers of one client may wait for one another:
// for its slots, or for the connections of its pool.
func (s *Scenario) CallersQueue() bool {
	return s.Shares(ShareSlots) || s.Pool != nil && s.Shares(ShareTransport)
}

// Expect is what one variant must show; a nil field is not judged.
type Expect struct {
	Outcome          *eventlog.Outcome `yaml:"outcome,omitempty"`             // of every valid operation
	DurationMs       *Duration         `yaml:"duration_ms,omitempty"`         // median
	FirstQuartileMs  *Duration         `yaml:"first_quartile_ms,omitempty"`   // of the durations
	ThirdQuartileMs  *Duration         `yaml:"third_quartile_ms,omitempty"`   // of the durations
	Attempts         *Count            `yaml:"attempts,omitempty"`            // of every valid operation
	ServerRequests   *Count            `yaml:"server_requests,omitempty"`     // that really arrived, of every valid operation
	Late             *bool             `yaml:"late,omitempty"`                // every valid operation was (not) late
	InBudget         *bool             `yaml:"in_budget,omitempty"`           // every valid operation was (not) a success in budget
	OvershootMs      *Duration         `yaml:"overshoot_ms,omitempty"`        // median of end − deadline, signed
	CancelToReturnMs *Duration         `yaml:"cancel_to_return_ms,omitempty"` // median
	HeadersReceived  *bool             `yaml:"headers_received,omitempty"`    // every valid operation did (not)
	BodyComplete     *bool             `yaml:"body_complete,omitempty"`       // every valid operation did (not)
	WasteMs          *Duration         `yaml:"waste_ms,omitempty"`            // median of the time slept up to the deadline although no further attempt could fit

	Commits           *Count `yaml:"commits,omitempty"`             // side effects on the server, of every valid operation
	GroupRequests     *Count `yaml:"group_requests,omitempty"`      // requests that arrived of all callers of one client together
	PeakArrivals      *Count `yaml:"peak_arrivals,omitempty"`       // most requests of one group within 10 ms
	PeakRetryArrivals *Count `yaml:"peak_retry_arrivals,omitempty"` // the same without first attempts
	Leaks             *Leaks `yaml:"leaks,omitempty"`               // nil = none
}

// Leaks is what the clients of a series may still hold 200 ms after its last
// operation, the most of any one client. A nil count is none, but for the
// server's, which are not judged then, and for goroutines where any other leak
// is expected.
type Leaks struct {
	Goroutines        *Count            `yaml:"goroutines,omitempty"`
	Connections       *Count            `yaml:"connections,omitempty"`
	Dials             *Count            `yaml:"dials,omitempty"`
	Slots             *Count            `yaml:"slots,omitempty"`
	Handlers          *Count            `yaml:"handlers,omitempty"`
	ServerConnections *Count            `yaml:"server_connections,omitempty"`
	Probe             *eventlog.Outcome `yaml:"probe,omitempty"` // nil = success
	ProbeMs           *Duration         `yaml:"probe_ms,omitempty"`
}

// Duration is an expected median: the arithmetic of the waits (Ms), or a window.
type Duration struct {
	Ms           float64 // when Min and Max are nil
	MinMs, MaxMs *float64
}

// IsWindow tells a {min_ms, max_ms} expectation from a plain number.
func (d Duration) IsWindow() bool { return d.MinMs != nil || d.MaxMs != nil }

// Holds reports whether ms satisfies the expectation, taken literally.
func (d Duration) Holds(ms float64) bool { return ms >= d.least() && ms <= d.most() }

// Count is an exact number, or a window where a race is inherent.
type Count struct {
	N        int // when Min and Max are nil
	Min, Max *int
}

// Holds tells whether n satisfies the expectation.
func (c Count) Holds(n int) bool {
	if c.Min == nil && c.Max == nil {
		return n == c.N
	}
	return (c.Min == nil || n >= *c.Min) && (c.Max == nil || n <= *c.Max)
}

// AnyUpTo reports whether a number up to most satisfies the expectation.
func (c Count) AnyUpTo(most int) bool { return c.least() <= most }

// At formats the place of a key for an error message, file:line:column. A key
// that is not in the file has the place of the nearest one around it.
func (s *Scenario) At(path string) string {
	p, ok := nearestPlace(s.Pos, path)
	if !ok {
		return s.File
	}
	return fmt.Sprintf("%s:%d:%d", s.File, p.Line, p.Column)
}

// Connections returns how many connections the client may have to the only
// host there is; 0 = no limit.
func (s *Scenario) Connections() int {
	if s.Pool == nil {
		return 0
	}
	if s.Pool.Limit > 0 && s.Pool.LimitPerHost > 0 {
		return min(s.Pool.Limit, s.Pool.LimitPerHost)
	}
	return max(s.Pool.Limit, s.Pool.LimitPerHost)
}
