// Package adapter is the Go side of the adapter protocol, version 1: how a
// program that wraps an HTTP client lets deadlinelab's bench call through it.
// The program reads JSON lines from standard input and writes JSON lines to
// standard output; what it writes to standard error is shown when it fails.
// docs/adapter-protocol.md is the specification.
//
// A client is a Client, or a Func, and a Hello that says what it is; Serve does
// the rest. What else the bench is to see of a call is told to its Session: the
// wait for a slot, attempts (NewTransport does it for everything on net/http)
// and pauses. Claim in Hello.Capabilities what the client really does, no more:
// the others are never asked of it, and such a scenario is not applicable.
package adapter

// Protocol is the version that this package speaks.
const Protocol = 1

// Types of messages, as in the field "type".
const (
	TypeHello     = "hello"     // both sides, first
	TypeOperation = "operation" // bench: make this call
	TypeHoldSlot  = "hold_slot" // bench: take a slot of that client and keep it
	TypeRelease   = "release"   // bench: give the slot of that hold_slot back, at at_ns
	TypeCancel    = "cancel"    // bench: the caller of that operation has lost patience
	TypeClose     = "close"     // bench: that client is not used any more
	TypeShutdown  = "shutdown"  // bench: end; so does the end of standard input
	TypeEvent     = "event"     // client: something happened in an operation
)

// Capabilities that a client may claim in its hello. What it does not claim is
// never asked of it: a scenario that needs it is not applicable.
const (
	CanCancel         = "cancel"          // an operation can be cancelled by its caller
	CanPool           = "pool"            // obeys pool limits; operations with one client id share its pool
	CanSlots          = "slots"           // obeys slots; operations with one client id share them; hold_slot
	CanAttempts       = "attempts"        // reports attempt_started and the attempt's end
	CanBackoff        = "backoff"         // reports backoff_started as it begins
	CanBody           = "body"            // methods besides GET, request bodies, Idempotency-Key
	CanCallerDeadline = "caller_deadline" // obeys caller_deadline_ms
)

// Capabilities is the closed list.
var Capabilities = []string{CanCancel, CanPool, CanSlots, CanAttempts, CanBackoff, CanBody, CanCallerDeadline}

// Clocks that a client may name in its hello.
const (
	ClockMonotonic = "monotonic" // t_ns are nanoseconds of CLOCK_MONOTONIC of this host
	ClockNone      = "none"      // its events carry no t_ns: the bench goes by when their lines arrive
)

// Hello is the first message of both sides: the bench sends type, protocol and
// bench; the client answers with the rest.
type Hello struct {
	Type     string `json:"type"`
	Protocol int    `json:"protocol"`
	Bench    string `json:"bench,omitempty"` // version of the bench

	Name         string            `json:"name,omitempty"`         // of the library or program under test
	Version      string            `json:"version,omitempty"`      // its version
	Language     string            `json:"language,omitempty"`     // language and runtime with version, like "Go 1.26"
	Settings     map[string]string `json:"settings,omitempty"`     // how it is set up, for the report: at most 32 of 200 characters
	Capabilities []string          `json:"capabilities,omitempty"` // of the closed list
	Clock        string            `json:"clock,omitempty"`        // monotonic or none
}

// Operation is one call that the bench asks for. Times are milliseconds.
type Operation struct {
	Type   string `json:"type"`
	Op     string `json:"op"`     // id, opaque
	Client string `json:"client"` // operations with the same one share pool and slots; a new one is a new client
	URL    string `json:"url"`
	Method string `json:"method"` // GET unless the client can send bodies

	BodyBytes        int64    `json:"body_bytes,omitempty"`         // length of the request body, any content
	IdempotencyKey   string   `json:"idempotency_key,omitempty"`    // header Idempotency-Key, the same on every attempt
	BudgetMs         float64  `json:"budget_ms"`                    // what the caller grants, from the call on
	CallerDeadlineMs *float64 `json:"caller_deadline_ms,omitempty"` // the caller's own earlier deadline, from the call on
	Policy           Policy   `json:"policy"`
	Attempt          Limits   `json:"attempt"`
	Pool             *Pool    `json:"pool,omitempty"`  // none = no limit
	Slots            int      `json:"slots,omitempty"` // 0 = no limit
}

// Policy is the retry policy that the scenario asks for.
type Policy struct {
	MaxAttempts       int       `json:"max_attempts"`
	BackoffMs         []float64 `json:"backoff_ms"` // pause after attempt 1, 2, …; the last one repeats; jitter is drawn already
	RetryableStatuses []int     `json:"retryable_statuses"`
	RetryableFailures []string  `json:"retryable_failures"` // outcomes: attempt_timeout, connect_timeout, connect_error, transport_error
}

// Limits act inside one attempt, in milliseconds; null = none.
type Limits struct {
	TotalMs       *float64 `json:"total_ms"`        // the whole attempt with its body
	ConnectMs     *float64 `json:"connect_ms"`      // from the call to a usable connection, the pool's queue included
	SockConnectMs *float64 `json:"sock_connect_ms"` // the dial
	SockReadMs    *float64 `json:"sock_read_ms"`    // silence between two reads
}

// Pool limits connections; 0 = no limit.
type Pool struct {
	Limit        int `json:"limit,omitempty"`
	LimitPerHost int `json:"limit_per_host,omitempty"`
}

// Ask is what the bench says besides hello and operation: hold_slot (op,
// client, slots), release (op, at_ns), cancel (op), close (client), shutdown.
type Ask struct {
	Type   string `json:"type"`
	Op     string `json:"op,omitempty"`
	Client string `json:"client,omitempty"`
	Slots  int    `json:"slots,omitempty"` // hold_slot: how many there are; all are taken
	AtNs   int64  `json:"at_ns,omitempty"` // release: when, on CLOCK_MONOTONIC; 0 = at once
}

// Kinds of events, as in docs/events.md. Only OperationStarted and
// OperationFinished are required.
const (
	OperationStarted     = "operation_started"      // the caller's call, before any queue: t0
	AdmissionWaitStarted = "admission_wait_started" // asks for a slot
	AdmissionAcquired    = "admission_acquired"     // has one
	AdmissionReleased    = "admission_released"     // gave it back
	AttemptStarted       = "attempt_started"        // attempt
	HeadersReceived      = "headers_received"       // attempt, status
	BodyFinished         = "body_finished"          // attempt, bytes
	AttemptFinished      = "attempt_finished"       // attempt, status
	AttemptTimedOut      = "attempt_timed_out"      // attempt, limit, error_type, error
	AttemptCancelled     = "attempt_cancelled"      // attempt, error_type, error
	AttemptFailed        = "attempt_failed"         // attempt, status, error_type, error
	BackoffStarted       = "backoff_started"        // attempt, planned_ms
	BackoffFinished      = "backoff_finished"       // attempt
	DeadlineFired        = "deadline_fired"         //
	CancellationObserved = "cancellation_observed"  //
	OperationFinished    = "operation_finished"     // outcome, last, status, bytes, body, error_type, error
)

// Event is what the client reports of an operation.
type Event struct {
	Type  string `json:"type"`
	Op    string `json:"op"`
	Event string `json:"event"`
	TNs   int64  `json:"t_ns,omitempty"` // when it happened, nanoseconds of CLOCK_MONOTONIC; not with clock none

	Attempt   int     `json:"attempt,omitempty"` // from 1
	PlannedMs float64 `json:"planned_ms,omitempty"`
	Status    int     `json:"status,omitempty"`
	Bytes     int64   `json:"bytes,omitempty"` // length of the whole body
	Limit     string  `json:"limit,omitempty"` // total_ms, connect_ms, sock_connect_ms, sock_read_ms
	Outcome   string  `json:"outcome,omitempty"`
	Last      string  `json:"last,omitempty"`       // beside retries_exhausted: how the last attempt failed
	ErrorType string  `json:"error_type,omitempty"` // class or type of the error that the caller gets
	Error     string  `json:"error,omitempty"`      // its text, for people
	Body      string  `json:"body,omitempty"`       // operation_finished with success: the body, of a longer one the last 4096 bytes
}

// BodyKept is how much of a body OperationFinished carries, in bytes.
const BodyKept = 4096

// Outcomes of an operation.
const (
	Success          = "success"
	DeadlineExceeded = "deadline_exceeded" // a limit on the whole operation ended it
	AttemptTimeout   = "attempt_timeout"   // a limit of its only attempt ended it
	ConnectTimeout   = "connect_timeout"
	RetriesExhausted = "retries_exhausted" // several attempts allowed, none succeeded
	UnexpectedStatus = "unexpected_status" // not a 2xx
	Cancelled        = "cancelled"         // its caller cancelled
	ConnectError     = "connect_error"
	TransportError   = "transport_error"
	InvalidData      = "invalid_data"
	Refused          = "refused"      // the client itself refused to start it
	ClientError      = "client_error" // the client broke
)
