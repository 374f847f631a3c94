// Package control is labserver's control API: its types and its client. The
// server side lives in internal/labserver.
//
// JSON over HTTP, bearer token, unknown fields refused. Errors are
// {"error": "...", "hint": "..."} with a 4xx or 5xx status.
package control

import (
	"encoding/json"

	"github.com/deadlinelab/deadlinelab/internal/eventlog"
	"github.com/deadlinelab/deadlinelab/internal/scenario"
)

// APIVersion is the number in the ready line and in /v1/health; bench refuses
// a labserver of another one.
const APIVersion = 1

// MaxTTLMs is the longest life of an experiment: a day. A run must end before
// its experiments do.
const MaxTTLMs = 86_400_000

// TokenEnv is the environment variable that carries the bearer token to a
// labserver started by bench.
const TokenEnv = "DEADLINELAB_TOKEN"

// Ready is the one JSON line labserver prints on stdout once it listens.
type Ready struct {
	Ready   bool   `json:"ready"`
	Control string `json:"control"` // http://host:port
	API     int    `json:"api"`
	Version string `json:"version"`
	PID     int    `json:"pid"`
}

// Health answers GET /v1/health.
type Health struct {
	Status      string `json:"status"` // ok
	API         int    `json:"api"`
	Version     string `json:"version"`
	Experiments int    `json:"experiments"`
}

// ClockReading answers GET /v1/clock.
type ClockReading struct {
	TNs    int64  `json:"t_ns"`    // nanoseconds of that clock, as in the server's events
	Clock  string `json:"clock"`   // its name
	BootID string `json:"boot_id"` // two processes of one boot share their clock
}

// ExperimentRequest is the body of POST /v1/experiments: one scenario with its
// own data listener.
type ExperimentRequest struct {
	Name           string          `json:"name"`                // experiment id, [A-Za-z0-9_.~-]{1,96}; empty = chosen by the server
	Scenario       json.RawMessage `json:"scenario"`            // the scenario as a JSON object, or a JSON string holding its YAML text
	Seed           int64           `json:"seed,omitempty"`      // recorded only: the server draws nothing
	TTLMs          float64         `json:"ttl_ms,omitempty"`    // 1 … MaxTTLMs; default 600,000
	DataAddr       string          `json:"data_addr,omitempty"` // default 127.0.0.1:0; for an address of all interfaces data_url names the host by which the request came
	AutoOperations bool            `json:"auto_operations,omitempty"`
}

// Document is a scenario as an ExperimentRequest holds it: its YAML text, with
// every default, in a JSON string.
func Document(s *scenario.Scenario) (json.RawMessage, error) {
	text, err := scenario.Marshal(s)
	if err != nil {
		return nil, err
	}
	return json.Marshal(string(text))
}

// Experiment is what is known of an experiment.
type Experiment struct {
	Name     string  `json:"name"`
	Scenario string  `json:"scenario"`
	DataURL  string  `json:"data_url"` // http://host:port
	TTLMs    float64 `json:"ttl_ms"`
	LastSeq  uint64  `json:"last_seq"`
	Busy     int     `json:"busy"` // handlers still running

	Connections int           `json:"connections"`        // open ones
	Standing    []Outstanding `json:"standing,omitempty"` // what is still held for an operation, in the order of their ids
}

// Outstanding is what the server still holds for one operation.
type Outstanding struct {
	Op          string `json:"op"`
	Busy        int    `json:"busy"`        // handlers still running
	Connections int    `json:"connections"` // open ones that served it last
}

// OperationRequest is the body of PUT …/operations/{op}; Op is only used in bulk.
type OperationRequest struct {
	Op    string         `json:"op,omitempty"`
	Phase eventlog.Phase `json:"phase,omitempty"` // default measured
}

// Operation is a registered operation.
type Operation struct {
	Op      string `json:"op"`
	BaseURL string `json:"base_url"` // ends in /op/<id>/
	Marker  string `json:"marker"`   // part of every complete successful body
}

// Bulk is the body of PUT …/operations, which BulkAnswer answers.
type Bulk struct {
	Operations []OperationRequest `json:"operations"`
}

// BulkAnswer answers PUT …/operations, in the order asked.
type BulkAnswer struct {
	Operations []Operation `json:"operations"`
}

// Release is the body of POST …/gates/{gate}/release. The gate's id is the
// operation's id. Releasing before an exchange is held is remembered.
type Release struct {
	Count int   `json:"count,omitempty"` // default 1
	AtNs  int64 `json:"at_ns,omitempty"` // server's clock; 0 = now
}

// Gate answers GET …/gates/{gate}?held=N&timeout_ms=T, which waits until N
// exchanges are held (504 when the time is up).
type Gate struct {
	Gate     string `json:"gate"`
	Held     int    `json:"held"`
	Released int    `json:"released"`
}

// Events answers GET …/events?after=SEQ&limit=N.
type Events struct {
	Events  []json.RawMessage `json:"events"`
	Next    uint64            `json:"next"` // pass as after
	LastSeq uint64            `json:"last_seq"`
}

// Tally answers DELETE /v1/experiments/{x}: what must be in the log.
type Tally struct {
	Experiment string         `json:"experiment"`
	LastSeq    uint64         `json:"last_seq"`       // of the experiment's newest event
	Lost       int64          `json:"lost"`           // events that were dropped: the log is not whole
	Discarded  int64          `json:"discarded"`      // events that a reader took (POST …/events/stream), and that were forgotten then
	Requests   map[string]int `json:"requests"`       // exchanges per operation
	Busy       []string       `json:"busy,omitempty"` // operations whose handler was still running
}
