package memnet

import (
	"io"
	"net"
	"net/netip"
	"sync/atomic"
	"time"
)

// Conn is one end of a connection. Beside net.Conn it has what *net.TCPConn
// has for ending a connection in a certain way.
type Conn struct {
	in, out       *flow
	local, remote netip.AddrPort
	abrupt        atomic.Bool // linger of 0
	closed        atomic.Bool
}

// pair connects two addresses.
func pair(client, server netip.AddrPort) (c, s *Conn) {
	up, down := newFlow(), newFlow()
	return &Conn{in: down, out: up, local: client, remote: server},
		&Conn{in: up, out: down, local: server, remote: client}
}

// Read returns what is buffered, or waits. Buffered data is read before the
// peer's end shows: io.EOF after its FIN, syscall.ECONNRESET after its reset.
func (c *Conn) Read(p []byte) (int, error) {
	n, err := c.in.read(p)
	return n, c.wrap("read", err)
}

// Write returns when all of p is in the peer's buffer. It fails with
// syscall.EPIPE once the peer has closed, syscall.ECONNRESET once it has reset.
func (c *Conn) Write(p []byte) (int, error) {
	n, err := c.out.write(p)
	return n, c.wrap("write", err)
}

// Unsent is how many bytes that were written the other end has not read: while
// there are any, it may be what a Write waits for.
func (c *Conn) Unsent() int {
	c.out.mu.Lock()
	defer c.out.mu.Unlock()
	return len(c.out.data)
}

// Close ends both directions. Unread data, or a linger of 0, make it a reset:
// the peer still reads what had reached it, then syscall.ECONNRESET. A second
// Close is net.ErrClosed.
func (c *Conn) Close() error {
	if c.closed.Swap(true) {
		return c.wrap("close", net.ErrClosed)
	}
	reset := c.abrupt.Load()
	c.in.update(func() {
		reset = reset || len(c.in.data) > 0
		c.in.readerClosed, c.in.reset = true, c.in.reset || reset
		c.in.data = nil
	})
	c.out.update(func() {
		c.out.writerClosed, c.out.fin, c.out.reset = true, true, c.out.reset || reset
	})
	return nil
}

// CloseWrite is a FIN: the peer reads io.EOF after what was written before, and
// can still write.
func (c *Conn) CloseWrite() error {
	if c.closed.Load() {
		return c.wrap("close", net.ErrClosed)
	}
	c.out.update(func() { c.out.fin = true })
	return nil
}

// SetLinger with 0 seconds makes Close a reset; any other value undoes that.
func (c *Conn) SetLinger(seconds int) error {
	c.abrupt.Store(seconds == 0)
	return nil
}

// SetDeadline sets both deadlines; zero is none.
func (c *Conn) SetDeadline(t time.Time) error {
	_ = c.SetReadDeadline(t)
	return c.SetWriteDeadline(t)
}

// SetReadDeadline also acts on a Read that waits already.
func (c *Conn) SetReadDeadline(t time.Time) error {
	return c.setDeadline(c.in, &c.in.readUntil, t)
}

// SetWriteDeadline also acts on a Write that waits already.
func (c *Conn) SetWriteDeadline(t time.Time) error {
	return c.setDeadline(c.out, &c.out.writeUntil, t)
}

func (c *Conn) setDeadline(f *flow, until *time.Time, t time.Time) error {
	if c.closed.Load() {
		return c.wrap("set", net.ErrClosed)
	}
	f.update(func() { *until = t })
	return nil
}

// LocalAddr is this end's address and port.
func (c *Conn) LocalAddr() net.Addr { return tcpAddr(c.local) }

// RemoteAddr is the peer's LocalAddr.
func (c *Conn) RemoteAddr() net.Addr { return tcpAddr(c.remote) }

// wrap adds what *net.TCPConn adds to an error; io.EOF stays bare.
func (c *Conn) wrap(op string, err error) error {
	if err == nil || err == io.EOF {
		return err
	}
	return &net.OpError{Op: op, Net: "tcp", Source: c.LocalAddr(), Addr: c.RemoteAddr(), Err: err}
}
