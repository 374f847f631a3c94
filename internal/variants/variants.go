// Package variants holds the client variants under test, one file each and
// short enough for a slide: each is one way to place the boundaries (deadline,
// slot, attempt timeout, backoff) in a client. Variants write no events: the
// transport, the slots and the pause that they are handed are instrumented.
package variants

import (
	"cmp"
	"context"
	"errors"
	"maps"
	"net/http"
	"slices"
	"strings"
	"time"

	"github.com/deadlinelab/deadlinelab/internal/eventlog"
)

// Causes tell the ways a context ends apart; error text is never matched. The
// caller's own deadline is in the context that the variant is handed; the
// operation's is the one that the variant takes by itself.
var (
	ErrAttemptTimeout    = errors.New("attempt timeout")
	ErrOperationDeadline = errors.New("operation deadline")
	ErrCallerDeadline    = errors.New("deadline of the caller")
	ErrCancelled         = errors.New("cancelled by the caller")
	ErrCap               = errors.New("hard cap of the bench")
)

// Limits act inside one attempt; 0 = none. Total is applied by the attempt
// itself; the other three live in the instrumented transport, which takes them
// from the request's context (WithLimits).
type Limits struct {
	Total       time.Duration // the whole attempt with its body
	Connect     time.Duration // from the call to a usable connection, the pool's queue included
	SockConnect time.Duration // the dial
	SockRead    time.Duration // silence: re-armed at each read, from request written on
	Client      time.Duration // http.Client.Timeout, which that client applies: here the transport learns what ended the attempt
}

// Policy is what the caller asked for.
type Policy struct {
	Budget            time.Duration
	MaxAttempts       int
	Backoff           []time.Duration // pause after attempt 1, 2, …, jitter already drawn; the last entry repeats
	RetryableStatuses []int
	RetryableFailures []eventlog.Outcome
	Limits            Limits
}

// Slots is the client's admission: Acquire waits for a concurrency slot. A
// context that has ended on entry gets no slot, even when one is free.
type Slots interface {
	Acquire(ctx context.Context) error
	// TryAcquire takes a slot if one is free, and does not wait.
	TryAcquire() bool
	Release()
}

// Env is everything a variant may use for one operation.
type Env struct {
	Start     time.Time // t0: the caller's call, before the first queue
	Policy    Policy
	URL       string
	Marker    string            // must be in a successful body; empty where there is none to hold it
	Transport http.RoundTripper // instrumented; belongs to the operation unless callers share it
	Slots     Slots             // never nil; without admission it costs nothing and records nothing
	Pause     func(ctx context.Context, d time.Duration) error

	Method         string       // of every request; empty = GET
	BodyBytes      int64        // length of the request body; every attempt sends it anew
	IdempotencyKey string       // sent as Idempotency-Key, the same on every attempt; empty = none
	RequestID      string       // sent as Deadlinelab-Request-Id, the same on every attempt
	RetryBudget    *RetryBudget // what the callers of one client may repeat together; nil = a caller of its own
	ExpectContinue bool         // a variant's own wish: ask with Expect: 100-continue before a body is sent
}

// Response is what the caller gets on success: the whole body, closed.
type Response struct {
	Status int
	Header http.Header
	Body   []byte
}

// Do is one operation: it returns when control is back with the caller.
type Do func(ctx context.Context, env *Env) (Response, error)

// Variant is a registered variant.
type Variant struct {
	Name      string // file name without .go
	Label     string // one letter, or the name
	Summary   string // one line
	Placement Placement
	Listed    bool // takes part only in scenarios that list it, or when it is asked for by name
	Do        Do
	External  *External                     // a client in a process of its own; Do and Tune are nil then
	Tune      func(*http.Transport, Policy) // limits that live in net/http's transport; applied when the client is built; nil = none
}

var registry = map[string]Variant{}

// Register adds a variant; a duplicate name or label panics.
func Register(v Variant) {
	if v.Label == "" {
		v.Label = v.Name
	}
	for _, other := range registry {
		if other.Name == v.Name || other.Label == v.Label {
			panic("variants: " + v.Name + " (" + v.Label + ") registered twice")
		}
	}
	registry[v.Name] = v
}

// All lists the registered variants: by label, letters first.
func All() []Variant {
	return slices.SortedFunc(maps.Values(registry), func(a, b Variant) int {
		word := func(v Variant) int { return min(len(v.Label), 2) }
		return cmp.Or(cmp.Compare(word(a), word(b)), cmp.Compare(a.Label, b.Label))
	})
}

// Everywhere lists the variants that take part in any scenario, in the order of All.
func Everywhere() []Variant {
	return slices.DeleteFunc(All(), func(v Variant) bool { return v.Listed })
}

// Find looks a variant up by name or by letter, in either case.
func Find(nameOrLabel string) (Variant, bool) {
	for _, v := range registry {
		if v.Name == nameOrLabel || strings.EqualFold(v.Label, nameOrLabel) {
			return v, true
		}
	}
	return Variant{}, false
}

// Error is how a variant reports a failure: its outcome, the last failure
// beside retries_exhausted, and what the HTTP layer said.
type Error struct {
	Outcome eventlog.Outcome
	Last    eventlog.Outcome
	Err     error
}

func (e *Error) Error() string { return string(e.Outcome) + ": " + e.Err.Error() }
func (e *Error) Unwrap() error { return e.Err }

type limitsKey struct{}

// WithLimits hands the limits of one attempt to the instrumented transport.
func WithLimits(ctx context.Context, l Limits) context.Context {
	return context.WithValue(ctx, limitsKey{}, l)
}

// LimitsFrom is the transport's side of WithLimits; zero without it.
func LimitsFrom(ctx context.Context) Limits {
	l, _ := ctx.Value(limitsKey{}).(Limits)
	return l
}

// LimitError is what an instrumented transport returns when one of its limits
// ended the attempt.
type LimitError struct {
	Limit string // connect_ms, sock_connect_ms, sock_read_ms, total_ms, client_timeout
	After time.Duration
	Due   time.Time // when it was to act; zero = unknown
}

func (e *LimitError) Error() string { return e.Limit + " ended the attempt after " + e.After.String() }

// Outcome is attempt_timeout for total_ms and sock_read_ms, else connect_timeout.
func (e *LimitError) Outcome() eventlog.Outcome {
	if e.Limit == "connect_ms" || e.Limit == "sock_connect_ms" {
		return eventlog.ConnectTimeout
	}
	return eventlog.AttemptTimeout
}
