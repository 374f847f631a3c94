// Package fault holds what the upstream can do to a request, one file per
// fault: its YAML fields, its validation, what it does to an Exchange, and the
// Arrangement it wants on the client's side. Faults are stateless values;
// nothing is drawn at random; exchange n of an operation always gets step n.
package fault

import (
	"fmt"
	"maps"
	"net/http"
	"slices"
	"time"

	"github.com/deadlinelab/deadlinelab/internal/eventlog"
)

// Fault is one scripted behaviour. Its exported fields carry yaml tags and are
// decoded by internal/scenario; the key "type" selects it.
type Fault interface {
	// Check returns what is wrong with the fields, each with its yaml key.
	Check() []Problem
	// Serve answers one exchange. An error means the exchange ended before its
	// script did (client gone, gate expired, write failed); the server logs the
	// handler's end either way.
	Serve(ex Exchange) error
	// Arrangement is what must be set up around the operation on the client's side.
	Arrangement() Arrangement
	// HandlerCancellation tells whether the handler stops when the client has left.
	HandlerCancellation() bool
}

// Problem is one invalid field.
type Problem struct {
	Field string // yaml key, "steps[1].delay_ms" inside lists
	Found string
	Want  string
}

// Arrangement is what a fault needs on the client's side, as data: runner
// carries it out.
type Arrangement struct {
	HoldSlot       time.Duration // another operation holds the only slot until t0 + this
	HoldConnection time.Duration // a helper request holds the only connection until t0 + this
	HoldListener   time.Duration // nobody listens to the operation's connections until its gate is released, t0 + this
	LeadUntil      eventlog.Kind // an operation of the same variant on the same client goes first; t0 follows its first such event
	CancelOn       eventlog.Kind // the caller cancels after this event of the operation …
	CancelAfter    time.Duration // … and this much later
}

// Exchange is one request the server received, as a fault sees it. All methods
// are called from the handler's goroutine. Methods that write record
// server_headers_prepared/-written, server_body_written/-finished themselves.
type Exchange interface {
	// Op, Number, Phase identify the exchange; Number counts from 1 per operation.
	Op() string
	Number() int
	Phase() eventlog.Phase
	// Marker must be part of a complete successful body.
	Marker() string
	// Started is when the server had the request's head: due times count from it.
	Started() time.Time
	// Request is the request; faults must not keep it.
	Request() *http.Request
	// DelayUntil records fault_armed (due) and waits until the absolute instant.
	// It returns ErrClientGone early only when the fault's HandlerCancellation is
	// true and the client has left, ErrClosed when the experiment ends.
	// The matching fault_fired is recorded by the next write, once that write
	// has returned, or at once by Fired for a fault that writes nothing.
	DelayUntil(due time.Time) error
	Fired()
	// Headers writes and flushes the response head. length < 0 means chunked.
	Headers(status int, header http.Header, length int64) error
	// Write writes and flushes one piece of the body.
	Write(p []byte) error
	// Finish ends the body: server_body_finished.
	Finish() error
	// Hold waits at the gate named by the operation id (gate_held) until the
	// runner releases it (gate_released), or it expires (gate_expired): then the
	// connection is closed and ErrGateExpired returned.
	Hold() error
	// OnConnection is the number of this exchange on its connection, from 1.
	OnConnection() int
	// Commit makes the request's side effect happen: effect_committed. A second
	// commit under one Idempotency-Key, of any operation, is none and false.
	Commit() bool
	// Elsewhere is the URL of an address at which connections meet kind.
	Elsewhere(kind ConnectionKind) (string, error)
	// TakeOver hands over the connection itself. Nothing else may have been
	// called before, and only Record, Commit and the Wire after it.
	TakeOver() (Wire, error)
	// Record adds an event of the fault's own; op and exchange are filled in.
	Record(e eventlog.Event)
}

// Sentinel errors of an Exchange.
var (
	ErrClientGone  = fmt.Errorf("the client has left")
	ErrClosed      = fmt.Errorf("the experiment has ended")
	ErrGateExpired = fmt.Errorf("the gate expired before it was released")
)

var registry = map[string]func() Fault{}

// Register adds a fault type; a duplicate name panics. New returns a value
// with its defaults filled in, ready for decoding.
func Register(name string, new func() Fault) {
	if _, dup := registry[name]; dup {
		panic("fault: " + name + " registered twice")
	}
	registry[name] = new
}

// New returns a fault of the named type with its defaults, false if unknown.
func New(name string) (Fault, bool) {
	new, ok := registry[name]
	if !ok {
		return nil, false
	}
	return new(), true
}

// Names lists the registered types in order.
func Names() []string { return slices.Sorted(maps.Keys(registry)) }
