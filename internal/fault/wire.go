package fault

import "time"

// Wire is the connection of an exchange, once a fault has taken it over: what
// goes out are exactly the bytes that are sent. The bytes make the events: the
// response head's status and end, and the pieces of the body after it.
type Wire interface {
	// Send writes p and returns when the system has taken it. For a client that
	// has left nothing is written, and the error is ErrClientGone.
	Send(p []byte) error
	// Receive reads what the client sent after the request's head. Only a fault
	// whose Reading is Unread may use it; for others the server reads.
	Receive(p []byte) (int, error)
	// Pause is DelayUntil of the exchange.
	Pause(due time.Time) error
	// Fired records that the armed fault took effect just now; Send, End, Close
	// and Reset do so by themselves.
	Fired()

	// End sends a FIN after everything that was sent, and goes on reading: a
	// close with something unread would become a reset.
	End() error
	// Close closes as a careless server does: with a reset if anything that the
	// client sent is unread, which may overtake the answer.
	Close() error
	// Reset sends a RST once the client's system has acknowledged everything that
	// was sent: earlier, the reset would take the rest with it.
	Reset() error
	// KeepOpen says nothing more. It returns nil when the client has left,
	// ErrClosed when the experiment ends.
	KeepOpen() error
}

// Reading says who reads what the client sends after the request's head.
type Reading int

// The ways of reading a request's body.
const (
	Beside Reading = iota // the server, beside the script
	Unread                // nobody, unless the script calls Wire.Receive
)

// BodyReader is a fault that cares how the request's body is read; for all
// others that is Beside.
type BodyReader interface {
	Reading() Reading
	// ReceiveBuffer is the size of the connection's receive buffer in bytes, which
	// the system may round up; 0 = the system's own choice.
	ReceiveBuffer() int
}

// ReadingOf tells how the body of exchange n is read.
func ReadingOf(f Fault, n int) Reading {
	if r, ok := StepOf(f, n).(BodyReader); ok {
		return r.Reading()
	}
	return Beside
}

// ReceiveBufferOf is the size that f, or the first step of it that cares, wants
// a connection's receive buffer to have; 0 = the system's own choice.
func ReceiveBufferOf(f Fault) int {
	if s, ok := f.(*Sequence); ok {
		for _, step := range s.Steps {
			if n := ReceiveBufferOf(step.Fault); n > 0 {
				return n
			}
		}
	}
	if r, ok := f.(BodyReader); ok {
		return r.ReceiveBuffer()
	}
	return 0
}
