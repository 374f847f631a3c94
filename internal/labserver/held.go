package labserver

import (
	"github.com/deadlinelab/deadlinelab/internal/socket"
	"net"
	"time"
)

// heldFrom is how long a write takes at least that waited for its client. What
// is shorter is the machine's.
const heldFrom = time.Millisecond

// push is what a script is about to do to its connection.
type push struct {
	began time.Time
	free  time.Time // until then the client had held up what came before; zero = it had not
}

func (c *conn) push() push { return push{time.Now(), c.heldTo()} }

// write notes when the client held it up: the system had no room for the bytes,
// because it holds some that the client does not read, or did for most of the
// time that the write took.
func (c *conn) write(p []byte) (int, error) {
	began, before := time.Now(), socket.WithoutRoom(c.Conn)
	n, err := c.Conn.Write(p)
	took := time.Since(began)
	if took >= heldFrom && (err != nil || unsent(c.Conn) > 0 || 2*(socket.WithoutRoom(c.Conn)-before) > took) {
		c.hold()
	}
	return n, err
}

// hold notes that the client has held up the script until now.
func (c *conn) hold() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.held = time.Now()
}

func (c *conn) heldTo() time.Time {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.held
}

// late is by how much the server was late with what was due: what the client
// held up, before or now, is not the server's lateness.
func (c *conn) late(due time.Time, p push) time.Duration {
	at := time.Now()
	if c.heldTo().After(p.free) {
		at = p.began
	}
	if p.free.After(due) {
		due = p.free
	}
	return at.Sub(due)
}

// unsent is how many bytes the system has taken and cannot send, because the
// client has no room for them. Where it is not known it is 0.
func unsent(c net.Conn) int {
	if known, ok := c.(interface{ Unsent() int }); ok {
		return known.Unsent()
	}
	return socket.UnsentOf(c)
}
