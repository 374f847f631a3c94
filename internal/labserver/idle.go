package labserver

import (
	"net"
	"net/http"
	"time"
)

// idle is what becomes of a connection on which nothing happens: the step that
// answered last says it, which no timeout of a whole http.Server can.
type idle struct {
	closes time.Duration // after so long without a request; 0 = never
	until  time.Time     // then, if nothing arrives; zero = an exchange goes on
}

// rest is told by net/http what each connection does.
func rest(nc net.Conn, state http.ConnState) {
	if c, ok := nc.(*conn); ok && state == http.StateIdle {
		c.mu.Lock()
		defer c.mu.Unlock()
		if c.idle.closes > 0 {
			c.idle.until = time.Now().Add(c.idle.closes)
		}
	}
}

// read waits no longer than the connection may be idle. net/http closes one
// whose next request does not begin in time.
func (c *conn) read(p []byte) (int, error) {
	c.mu.Lock()
	until := c.idle.until
	c.idle.until = time.Time{}
	c.mu.Unlock()
	if until.IsZero() {
		return c.Conn.Read(p)
	}
	c.Conn.SetReadDeadline(until)
	defer c.Conn.SetReadDeadline(time.Time{})
	return c.Conn.Read(p)
}
