package fault

import "time"

// ConnectionKind is what a connection meets before any request.
type ConnectionKind string

// The kinds.
const (
	Refused       ConnectionKind = "refused"         // nobody listens
	BlackHole     ConnectionKind = "black_hole"      // the listener's queue is full: nothing comes back
	AcceptSilence ConnectionKind = "accept_silence"  // accepted, and never served
	ResetOnAccept ConnectionKind = "reset_on_accept" // accepted, and reset at once
)

// ConnectionScript is what the connections of one operation meet, as data: the
// server gives each operation a listener of its own and carries it out.
type ConnectionScript struct {
	Kind ConnectionKind
	// For is how long; 0 = until the experiment ends. For BlackHole it counts from
	// the operation's t0 (see Arrangement.HoldListener), and connections are served
	// afterwards; for AcceptSilence from the accept, and the connection is closed
	// then.
	For time.Duration
	// Times is how many connections of the operation meet the script; further ones
	// are served. 0 = all. Only what is accepted can be counted.
	Times int
}

// ConnectionFault is a fault that acts before a request. Its Serve is for
// requests that get through.
type ConnectionFault interface {
	Fault
	Connect() ConnectionScript
}
