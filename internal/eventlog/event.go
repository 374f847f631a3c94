// Package eventlog is the seam of the bench: what runs writes events, what
// judges reads events. It defines the record, the closed list of outcomes, the
// recorder and the JSON-lines codec, and judges nothing.
package eventlog

// Schema and SchemaVersion name the record format in line 1 of every log. A
// reader refuses a log whose major version is newer than its own.
const (
	Schema        = "deadlinelab/events"
	SchemaVersion = "1.0.0"
)

// Kind is the name of an event, as written in the field "event".
type Kind string

// Events of both sides.
const (
	LogOpened    Kind = "log_opened"
	NoiseSampled Kind = "noise_sampled" // one measured deadline of the noise sampler: due_ns, late_ms
	EventsLost   Kind = "events_lost"   // count of events dropped before this one
)

// Events of the client.
const (
	OperationStarted        Kind = "operation_started"
	AdmissionWaitStarted    Kind = "admission_wait_started"
	AdmissionAcquired       Kind = "admission_acquired"
	AdmissionReleased       Kind = "admission_released"
	AttemptStarted          Kind = "attempt_started"
	ConnectionWaitStarted   Kind = "connection_wait_started"
	ConnectionAcquired      Kind = "connection_acquired"
	DNSStarted              Kind = "dns_started"
	DNSFinished             Kind = "dns_finished"
	ConnectStarted          Kind = "connect_started"
	ConnectFinished         Kind = "connect_finished"
	TLSStarted              Kind = "tls_started"
	TLSFinished             Kind = "tls_finished"
	RequestWritten          Kind = "request_written"
	HeadersReceived         Kind = "headers_received"
	BodyFinished            Kind = "body_finished"
	AttemptFinished         Kind = "attempt_finished"
	AttemptTimedOut         Kind = "attempt_timed_out"
	AttemptCancelled        Kind = "attempt_cancelled"
	AttemptFailed           Kind = "attempt_failed"
	BackoffStarted          Kind = "backoff_started"
	BackoffFinished         Kind = "backoff_finished"
	DeadlineFired           Kind = "deadline_fired"
	ExternalCancelRequested Kind = "external_cancel_requested"
	CancellationObserved    Kind = "cancellation_observed"
	OperationFinished       Kind = "operation_finished"
	LeaksCounted            Kind = "leaks_counted"
)

// Events of the server.
const (
	ConnectionAccepted    Kind = "connection_accepted"
	ServerRequestStarted  Kind = "server_request_started"
	FaultArmed            Kind = "fault_armed"
	FaultFired            Kind = "fault_fired"
	GateHeld              Kind = "gate_held"
	GateReleased          Kind = "gate_released"
	GateExpired           Kind = "gate_expired"
	ServerHeadersPrepared Kind = "server_headers_prepared"
	ServerHeadersWritten  Kind = "server_headers_written"
	ServerBodyWritten     Kind = "server_body_written"
	ServerBodyFinished    Kind = "server_body_finished"
	EffectCommitted       Kind = "effect_committed"
	ServerClientGone      Kind = "server_client_gone"
	ServerHandlerFinished Kind = "server_handler_finished"
	ConnectionClosed      Kind = "connection_closed"
	Unscripted            Kind = "unscripted"
	ServerFailed          Kind = "server_failed"
	ExperimentEnded       Kind = "experiment_ended"
)

// Causes of an operation's end by which it is judged.
const (
	HardCap     = "hard_cap"     // only the bench's hard cap ended it
	ClientBroke = "client_broke" // its client, in another process, did what no client may: it proves nothing
)

// Event is one line of a log. Which fields a kind carries is written in
// docs/events.md; a field that a kind does not carry is zero and not written.
// Millisecond fields end in Ms, nanoseconds of the run's clock in Ns.
type Event struct {
	Seq  uint64 `json:"seq"`                  // from 1, without gaps, per experiment and side
	TNs  int64  `json:"t_ns"`                 // taken together with Seq
	AtNs int64  `json:"at_ns,omitempty"`      // when it happened by the account of a client in another process; TNs is when the bench heard of it
	Op   string `json:"op,omitempty"`         // operation id, opaque
	Kind Kind   `json:"event"`                //
	Exp  string `json:"experiment,omitempty"` // server events: the experiment whose seq this is

	Attempt  int    `json:"attempt,omitempty"`  // from 1
	Exchange int    `json:"exchange,omitempty"` // from 1, numbered by the server
	Conn     string `json:"conn,omitempty"`     // the client's addr:port, on both sides

	RemainingMs float64 `json:"remaining_ms,omitempty"` // of the caller's budget
	PlannedMs   float64 `json:"planned_ms,omitempty"`   // length of a backoff
	DueNs       int64   `json:"due_ns,omitempty"`       // when a fault, gate or noise deadline was to fire
	LateMs      float64 `json:"late_ms,omitempty"`      // how late it fired; operation_finished: how long its process waited for a processor
	Status      int     `json:"status,omitempty"`       // HTTP status
	Bytes       int64   `json:"bytes,omitempty"`        // of this write, or of a whole body
	Total       int64   `json:"total,omitempty"`        // body bytes written so far
	Count       int64   `json:"count,omitempty"`        // events_lost: how many
	Reused      bool    `json:"reused,omitempty"`       // the connection came from the pool

	Limit     string  `json:"limit,omitempty"`      // attempt limit that acted: total_ms, connect_ms, sock_connect_ms, sock_read_ms, client_timeout, header_timeout
	Fault     string  `json:"fault,omitempty"`      // type of the fault that was armed or fired
	Gate      string  `json:"gate,omitempty"`       // gate id
	Key       string  `json:"key,omitempty"`        // Idempotency-Key of the request that a side effect belongs to
	How       string  `json:"how,omitempty"`        // fin, rst, reset_stream
	By        string  `json:"by,omitempty"`         // client or server
	Outcome   Outcome `json:"outcome,omitempty"`    //
	Last      Outcome `json:"last,omitempty"`       // last failure beside retries_exhausted
	ErrorType string  `json:"error_type,omitempty"` // Go type, or the class an external client named
	Error     string  `json:"error,omitempty"`      // text of the error, for people only: nothing matches it
	Cause     string  `json:"cause,omitempty"`      // operation_deadline, caller_deadline, external_cancel, hard_cap, client_broke

	Start  *Start  `json:"-"` // operation_started, written flat
	Leaks  *Leaks  `json:"-"` // leaks_counted, written flat
	Header *Header `json:"-"` // log_opened, written flat
}

// Phase says which part an operation plays; only measured ones are in series.
type Phase string

// The phases.
const (
	Warmup   Phase = "warmup"
	Measured Phase = "measured"
	Helper   Phase = "helper"  // holds a slot or a connection, or goes first
	Probe    Phase = "probe"   // checks afterwards that slots and pool still serve
	Startup  Phase = "startup" // a client that is a process per operation, under a healthy upstream: what it costs to start it
)

// Start is what operation_started carries besides the common fields.
type Start struct {
	Scenario   string  `json:"scenario"`
	Variant    string  `json:"variant"`
	Label      string  `json:"label"`
	Repeat     int     `json:"repeat"` // from 1
	Index      int     `json:"index"`  // from 1 inside the repeat
	Phase      Phase   `json:"phase"`
	BudgetMs   float64 `json:"budget_ms"`
	DeadlineNs int64   `json:"deadline_ns"`   // t0 + budget
	For        string  `json:"for,omitempty"` // helper and probe: the operation they serve

	T0Ns   int64  `json:"t0_ns,omitempty"`  // the caller's call, where deadline_ns is not t0 + budget but the caller's own deadline
	Group  string `json:"group,omitempty"`  // what the callers of one client have in common
	Caller int    `json:"caller,omitempty"` // from 1, in a group

	Client string `json:"client,omitempty"` // a client in a process of its own: exec or adapter; empty for the variants of the bench
	Blind  bool   `json:"blind,omitempty"`  // the client does not report its attempts: what it did is known from the server alone
	Heard  bool   `json:"heard,omitempty"`  // the client has no clock of the host: its times are those at which the bench heard of them
}

// Kinds of clients that run in a process of their own, as in Start.Client.
const (
	ExecClient    = "exec"    // one process per operation
	AdapterClient = "adapter" // a long-running process that speaks the adapter protocol
)

// Leaks is what leaks_counted carries: what the clients of a series still held
// some time after its last operation. Each count is the most of any one client.
type Leaks struct {
	Scenario          string `json:"scenario"`
	Variant           string `json:"variant"`
	Label             string `json:"label"`
	Goroutines        int    `json:"goroutines"`         // that a call of the client started
	Connections       int    `json:"connections"`        // open ones, once the idle ones were closed
	Dials             int    `json:"dials"`              // still under way
	Slots             int    `json:"slots"`              // not given back
	Handlers          int    `json:"handlers"`           // of the server, still busy for the client
	ServerConnections int    `json:"server_connections"` // that the server still holds for the client
	Probe             string `json:"probe,omitempty"`    // the operation that tries the last client afterwards
}

// Header is what log_opened carries: line 1 of a log.
type Header struct {
	Schema        string `json:"schema"`
	SchemaVersion string `json:"schema_version"`
	Side          string `json:"side"` // client or server
	Experiment    string `json:"experiment"`
	Scenario      string `json:"scenario,omitempty"` // server logs: the experiment's scenario
	Clock         string `json:"clock"`
	BootID        string `json:"boot_id"`
}
