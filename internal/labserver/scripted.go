package labserver

import (
	"net"
	"time"

	"github.com/deadlinelab/deadlinelab/internal/fault"
)

// serve accepts what reaches l, and serves it after the script.
func (a *endpoint) serve(l net.Listener) {
	go a.x.http.Serve(&scripted{Listener: &listener{Listener: l, x: a.x, limit: a.x.limit, op: a.op}, a: a})
}

// scripted is a listener whose connections meet the script first.
type scripted struct {
	net.Listener
	a        *endpoint
	accepted int // so far; only Accept looks at it
}

// Accept returns connections whose script is over. Meanwhile others are
// accepted.
func (s *scripted) Accept() (net.Conn, error) {
	for {
		c, err := s.Listener.Accept()
		if err != nil {
			return nil, err
		}
		s.accepted++
		switch s.a.kindOf(s.accepted) {
		case fault.AcceptSilence:
			s.a.x.aside(s.a.op, func() { s.a.keepSilent(c.(*conn)) })
		case fault.ResetOnAccept:
			c.(*conn).finish("rst")
			c.(*conn).abruptly()
			c.Close()
		default:
			return c, nil
		}
	}
}

// kindOf is what connection n, from 1, meets; empty = it is served.
func (a *endpoint) kindOf(n int) fault.ConnectionKind {
	if a.script.Times > 0 && n > a.script.Times {
		return ""
	}
	return a.script.Kind
}

// keepSilent reads what the client sends and answers nothing, until it leaves,
// the time of the script is over (then the connection is closed), or the
// experiment ends.
func (a *endpoint) keepSilent(c *conn) {
	if a.script.For > 0 {
		due := time.Now().Add(a.script.For)
		a.x.nudge.At(due)
		stop := time.AfterFunc(time.Until(due), func() { c.finish("fin"); c.Close() })
		defer stop.Stop()
	}
	discard(c)
	c.Close()
}

func discard(c net.Conn) {
	buffer := make([]byte, 4<<10)
	for {
		if _, err := c.Read(buffer); err != nil {
			return
		}
	}
}
