// Package timeline turns the two event logs into one timeline per operation:
// operations -> attempts -> exchanges, and series with their statistics. Only
// events go in; it knows no scenario file and judges nothing.
package timeline

import "github.com/deadlinelab/deadlinelab/internal/eventlog"

// Promise is what the caller got.
type Promise string

// The promises.
const (
	Kept              Promise = "kept"           // a success in budget
	FailedInTime      Promise = "failed_in_time" // an error, no later than deadline + margin
	Late              Promise = "late"           // anything that ended later than that
	Unbounded         Promise = "unbounded"      // only the bench's hard cap ended it
	CancelledByCaller Promise = "cancelled"      // its caller cancelled
)

// Promises is the closed list in the order reports use.
var Promises = []Promise{Kept, FailedInTime, Late, Unbounded, CancelledByCaller}

// Operation is one line of operations.jsonl: the merged record. All *_ms
// offsets count from the operation's t0 on the client's clock, three decimals.
type Operation struct {
	Op         string           `json:"op"`
	Scenario   string           `json:"scenario"`
	Variant    string           `json:"variant"`
	Label      string           `json:"label"`
	Client     string           `json:"client,omitempty"` // exec or adapter; empty for a variant of the bench
	Repeat     int              `json:"repeat"`
	Index      int              `json:"index"`
	Phase      eventlog.Phase   `json:"phase"`
	For        string           `json:"for,omitempty"`
	Group      string           `json:"group,omitempty"`  // callers of one client have it in common
	Caller     int              `json:"caller,omitempty"` // from 1, in a group
	T0Ns       int64            `json:"t0_ns"`
	BudgetMs   float64          `json:"budget_ms"`
	Finished   bool             `json:"finished"` // an operation_finished is in the log
	DurationMs float64          `json:"duration_ms"`
	StartupMs  *float64         `json:"startup_ms,omitempty"`  // exec: what the start of its process takes; in phase startup its own, else what is taken off: the median, or the most that is sure
	StartupCut bool             `json:"startup_cut,omitempty"` // exec: less than the median was left for it: the server saw the client for too long
	NetMs      *float64         `json:"net_ms,omitempty"`      // exec: the duration less that
	Undecided  bool             `json:"-"`                     // exec: it is not late if its start-up, or its end, took as long as is taken off
	Overshoot  float64          `json:"overshoot_ms"`          // end − deadline, signed; exec: less the start-up
	Outcome    eventlog.Outcome `json:"outcome,omitempty"`
	Last       eventlog.Outcome `json:"last,omitempty"`
	ErrorType  string           `json:"error_type,omitempty"`
	Error      string           `json:"error,omitempty"`
	Promise    Promise          `json:"promise,omitempty"`
	Late       bool             `json:"late"`
	InBudget   bool             `json:"in_budget"`
	WasteMs    *float64         `json:"waste_ms"` // nil: not reported

	Admission *Span     `json:"admission,omitempty"` // waiting for the first slot
	Slots     []Span    `json:"slots,omitempty"`     // holding a slot
	Attempts  []Attempt `json:"attempts"`            // nil: not reported
	Backoffs  []Backoff `json:"backoffs,omitempty"`
	// Exchanges that belong to no attempt's causality window: none in a valid operation.
	Stray []Exchange `json:"stray,omitempty"`
	// Exchanges of a client that does not report its attempts.
	Exchanges []Exchange `json:"exchanges,omitempty"`

	ServerRequests        int   `json:"server_requests"`
	Commits               int   `json:"commits,omitempty"`       // side effects on the server
	AttemptsAfterDeadline *int  `json:"attempts_after_deadline"` // nil: not reported
	HeadersReceived       *bool `json:"headers_received"`        // nil: not reported
	BodyComplete          *bool `json:"body_complete"`           // nil: not reported
	Stop                  *Stop `json:"stop,omitempty"`

	HTTPTimerMs *float64 `json:"http_timer_ms"` // what a timer around the HTTP calls would have shown
	ToHeadersMs *float64 `json:"to_headers_ms"` // one that stops at the headers
	Where       Where    `json:"where_ms"`

	Unreported        []string `json:"unreported,omitempty"`         // keys that are null because the client does not tell
	UnreportedBecause string   `json:"unreported_because,omitempty"` // why
	ClientBroke       string   `json:"client_broke,omitempty"`       // what a client in another process did that no client may do

	Contradicted bool `json:"-"` // ClientBroke is what the server's log says against the client's account

	FaultLateMs *float64 `json:"fault_late_ms"`             // largest of its exchanges
	StallMs     float64  `json:"stall_ms"`                  // largest lateness of either noise sampler inside its interval, or what its own timers were late, or how long its process waited for a processor
	ServerBound float64  `json:"server_bound_ms,omitempty"` // how far the server's times in it may be off; 0 with one clock
	Valid       bool     `json:"valid"`
	Disturbed   bool     `json:"disturbed"`
	Reasons     []string `json:"reasons,omitempty"` // why it is invalid or disturbed
}

// Span is an interval in ms from t0. Open: it had no end in the log.
type Span struct {
	FromMs float64 `json:"from_ms"`
	ToMs   float64 `json:"to_ms"`
	Open   bool    `json:"open,omitempty"`
}

// Attempt is one call into the HTTP layer. Its moments and spans are ms from the
// operation's t0; nil = there was none.
type Attempt struct {
	N          int              `json:"n"`
	Span                        // start to end
	End        eventlog.Kind    `json:"end"`             // attempt_finished, _timed_out, _cancelled, _failed
	Limit      string           `json:"limit,omitempty"` // which limit ended it
	Status     int              `json:"status,omitempty"`
	ErrorType  string           `json:"error_type,omitempty"`
	Conn       string           `json:"conn,omitempty"`
	Reused     bool             `json:"reused,omitempty"`
	Connection *Span            `json:"connection_wait,omitempty"`
	DNS        *Span            `json:"dns,omitempty"`
	Connect    *Span            `json:"connect,omitempty"`
	TLS        *Span            `json:"tls,omitempty"`
	WrittenMs  *float64         `json:"request_written_ms,omitempty"`
	HeadersMs  *float64         `json:"headers_received_ms,omitempty"`
	BodyMs     *float64         `json:"body_finished_ms,omitempty"`
	BodyBytes  int64            `json:"body_bytes,omitempty"`
	Exchanges  []Exchange       `json:"exchanges,omitempty"` // more than one: the transport replayed
	Outcome    eventlog.Outcome `json:"-"`
}

// Backoff is the pause after an attempt.
type Backoff struct {
	After     int     `json:"after_attempt"`
	PlannedMs float64 `json:"planned_ms"`
	Span
	Finished bool `json:"finished"` // slept to its planned end
}

// Exchange is one request the server received. Its moments are ms from the
// operation's t0, on the client's clock; nil = not in the log.
type Exchange struct {
	N             int      `json:"n"`
	Conn          string   `json:"conn,omitempty"`
	StartMs       float64  `json:"start_ms"`
	FaultDueMs    *float64 `json:"fault_due_ms,omitempty"`
	FaultLateMs   *float64 `json:"fault_late_ms,omitempty"`
	Status        int      `json:"status,omitempty"`
	PreparedMs    *float64 `json:"headers_prepared_ms,omitempty"`
	HeadersMs     *float64 `json:"headers_written_ms,omitempty"`
	BodyMs        *float64 `json:"body_finished_ms,omitempty"`
	BytesWritten  int64    `json:"bytes_written,omitempty"`
	ClientGoneMs  *float64 `json:"client_gone_ms,omitempty"`
	ClientGoneHow string   `json:"client_gone_how,omitempty"`
	HandlerEndMs  *float64 `json:"handler_finished_ms,omitempty"`
}

// Stop is the moments of an operation that was stopped, in ms from its t0.
type Stop struct {
	By           string   `json:"by"`             // ByDeadline, ByCancel or ByCap
	RequestedMs  float64  `json:"requested_ms"`   // the deadline fired, or the cancel was requested
	ObservedMs   *float64 `json:"observed_ms"`    // the operation's code has seen it; nil: it did not say so
	ReturnedMs   float64  `json:"returned_ms"`    // control is back with the caller
	ServerDoneMs *float64 `json:"server_done_ms"` // the last of its handlers finished; nil: not known, or there was none
}

// Where is the operation's duration by innermost phase, in ms; the parts add up
// to it.
type Where struct {
	Admission      float64 `json:"admission"`
	ConnectionWait float64 `json:"connection_wait"`
	DNS            float64 `json:"dns"`
	Connect        float64 `json:"connect"`
	TLS            float64 `json:"tls"`
	Server         float64 `json:"server"` // connection in hand to headers
	Body           float64 `json:"body"`
	Backoff        float64 `json:"backoff"`
	Cleanup        float64 `json:"cleanup"` // everything else: the client's own code

	// Unreported is everything else of a client that does not tell: known are
	// the server's part and the pauses and queues that the client names.
	Unreported float64 `json:"unreported,omitempty"`
}
