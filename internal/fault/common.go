package fault

import (
	"math"
	"time"
)

// Common is what every fault has: the key handler_cancellation, and no
// arrangement unless the fault asks for one itself.
type Common struct {
	// HandlerStops: the handler stops waiting once it notices that the client
	// has left. False models the common server that works on regardless.
	HandlerStops bool `yaml:"handler_cancellation"`
}

// HandlerCancellation tells whether the handler stops when the client has left.
func (c Common) HandlerCancellation() bool { return c.HandlerStops }

// Arrangement is empty: nothing is set up on the client's side.
func (c Common) Arrangement() Arrangement { return Arrangement{} }

// ms turns a number of milliseconds into a duration, to the nanosecond.
func ms(v float64) time.Duration { return time.Duration(math.Round(v * 1e6)) }
