package eventlog

import "slices"

// Outcome is how an operation ended. The list is closed.
type Outcome string

// The outcomes.
const (
	Success          Outcome = "success"           // 2xx, body complete, closed, holding the operation's marker
	DeadlineExceeded Outcome = "deadline_exceeded" // the operation's own deadline ended it
	AttemptTimeout   Outcome = "attempt_timeout"   // a limit of its only attempt ended it, after it had a connection
	ConnectTimeout   Outcome = "connect_timeout"   // connect_ms or sock_connect_ms ended it
	RetriesExhausted Outcome = "retries_exhausted" // several attempts allowed, none succeeded
	UnexpectedStatus Outcome = "unexpected_status" // not a 2xx
	Cancelled        Outcome = "cancelled"         // the caller cancelled
	ConnectError     Outcome = "connect_error"     // refused, unreachable
	TransportError   Outcome = "transport_error"   // reset, truncated, protocol
	InvalidData      Outcome = "invalid_data"      // a 2xx whose body is not what was asked for
	Refused          Outcome = "refused"           // the client itself refused to start it
	CapReached       Outcome = "cap_reached"       // the bench's hard cap ended it
	ClientError      Outcome = "client_error"      // the client under test broke: crash, protocol, panic
)

// Outcomes is the closed list in the order reports use.
var Outcomes = []Outcome{Success, DeadlineExceeded, AttemptTimeout, ConnectTimeout, RetriesExhausted, UnexpectedStatus,
	Cancelled, ConnectError, TransportError, InvalidData, Refused, CapReached, ClientError}

// Known tells whether o is in the closed list.
func (o Outcome) Known() bool {
	return slices.Contains(Outcomes, o)
}
