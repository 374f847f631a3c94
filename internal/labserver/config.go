// Package labserver is the upstream that scripts every wait: data listeners
// that misbehave as a scenario says, a control API to set them up, and a log
// of what really happened on the server's side.
package labserver

import (
	"log"
	"net"

	"github.com/deadlinelab/deadlinelab/internal/clock"
)

// Config is what a Server needs from outside.
type Config struct {
	Listen  func(network, addr string) (net.Listener, error) // nil = net.Listen
	Clock   clock.Clock                                      // of the event times
	Nudge   *clock.Nudge                                     // nil = plain timers
	Token   string                                           // bearer token; empty = none, loopback only
	Version string                                           // told by /v1/health and the ready line
	Noise   bool                                             // record the noise floor of this process in every log

	MaxConnections int         // 0 = what the system allows
	ErrorLog       *log.Logger // defects that net/http reports; nil = nowhere
}

func (c *Config) listen(addr string) (net.Listener, error) {
	if c.Listen == nil {
		return net.Listen("tcp", addr)
	}
	return c.Listen("tcp", addr)
}
