package labserver

import (
	"context"
	"errors"
	"io"
	"net"
	"net/http"
	"os"
	"sync"
	"time"

	"github.com/deadlinelab/deadlinelab/internal/eventlog"
	"github.com/deadlinelab/deadlinelab/internal/fault"
)

// conn is one accepted connection. It sees every read and write and so knows
// when and how the client left, which net/http tells a handler only as a
// cancelled context.
type conn struct {
	net.Conn
	x     *experiment
	peer  string // the client's addr:port
	limit *limit
	over  bool          // accepted above the limit, to be told so
	left  chan struct{} // closed when the client has left

	mu     sync.Mutex
	op     string    // whose exchange it served last
	serves *exchange // nil between exchanges, and once the answer is complete
	how    string    // how the client left: fin, rst; empty while it is there
	ending string    // how a script ends the connection: fin, rst; empty while it does not
	closed bool
	number int       // exchanges so far
	held   time.Time // until then the client held up what the script wrote
	idle   idle
}

type connKey struct{}

func withConn(ctx context.Context, c net.Conn) context.Context {
	return context.WithValue(ctx, connKey{}, c)
}

func connOf(r *http.Request) *conn { return r.Context().Value(connKey{}).(*conn) }

func (c *conn) Read(p []byte) (int, error) {
	n, err := c.read(p)
	c.note(err)
	return n, err
}

func (c *conn) Write(p []byte) (int, error) {
	n, err := c.write(p)
	c.note(err)
	return n, err
}

// note takes down that the client has left, if that is what err means. It is
// an event of the exchange being answered; a client that leaves between
// exchanges, or with its answer complete, only closes its connection.
func (c *conn) note(err error) {
	if how := departure(err); how != "" {
		c.departed(how)
	}
}

// departed takes down how the client left, once. What it does after a script
// has ended the connection is its answer to that.
func (c *conn) departed(how string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.how != "" || c.closed || c.ending != "" {
		return
	}
	c.how = how
	if c.serves != nil {
		c.serves.record(eventlog.Event{Kind: eventlog.ServerClientGone, Conn: c.peer, How: how})
	}
	close(c.left)
}

// departure is how the client left: fin for an end of its stream, rst for
// anything that broke the connection, empty for what this side did itself.
func departure(err error) string {
	switch {
	case err == nil, errors.Is(err, os.ErrDeadlineExceeded), errors.Is(err, net.ErrClosed):
		return ""
	case errors.Is(err, io.EOF):
		return "fin"
	default:
		return "rst"
	}
}

// begin makes ex the exchange that a departure belongs to.
func (c *conn) begin(ex *exchange) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.number++
	c.serves, ex.onConnection = ex, c.number
	c.op = ex.op.id
	c.idle = idle{closes: fault.IdleCloseOf(c.x.scenario.Fault, ex.number)}
}

// finish notes that a script ends the connection, and how.
func (c *conn) finish(how string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.how == "" {
		c.serves, c.ending = nil, how
	}
}

// answered is called just before the last byte is written: the client may
// leave from then on without being missed.
func (c *conn) answered() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.serves = nil
}

// gone tells whether the client has left.
func (c *conn) gone() bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.how != ""
}

// closeWrite sends a FIN after everything that was written.
func (c *conn) closeWrite() error {
	half, ok := c.Conn.(interface{ CloseWrite() error })
	if !ok {
		return c.Close()
	}
	return half.CloseWrite()
}

// abruptly makes the next Close a reset.
func (c *conn) abruptly() {
	if l, ok := c.Conn.(interface{ SetLinger(seconds int) error }); ok {
		l.SetLinger(0)
	}
}

// Close closes the connection and records once who ended it and how. Whoever
// comes second waits until that is in the log: the log may be closed next.
func (c *conn) Close() error {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.closed {
		return nil
	}
	c.closed = true
	err := c.Conn.Close()
	by, how := "server", "fin"
	if c.how != "" {
		by, how = "client", c.how
	} else if c.ending != "" {
		how = c.ending
	}
	c.x.record(eventlog.Event{Kind: eventlog.ConnectionClosed, Conn: c.peer, By: by, How: how})
	c.x.connections.remove(c)
	c.limit.leave()
	return err
}
