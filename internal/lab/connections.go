package lab

import (
	"net"
	"sync"
)

// FewConnections accepts only so many connections at once; the others wait in
// the kernel's queue.
type FewConnections struct {
	net.Listener
	places chan struct{}
	closed chan struct{}
	once   sync.Once
}

// NewFewConnections returns l with at most that many connections open at once.
func NewFewConnections(l net.Listener, most int) *FewConnections {
	return &FewConnections{Listener: l, places: make(chan struct{}, most), closed: make(chan struct{})}
}

func (l *FewConnections) Accept() (net.Conn, error) {
	select {
	case l.places <- struct{}{}:
	case <-l.closed:
		return nil, net.ErrClosed
	}
	c, err := l.Listener.Accept()
	if err != nil {
		<-l.places
		return nil, err
	}
	return &placedConn{Conn: c, leave: sync.OnceFunc(func() { <-l.places })}, nil
}

func (l *FewConnections) Close() error {
	l.once.Do(func() { close(l.closed) })
	return l.Listener.Close()
}

// placedConn gives its place back when it is closed.
type placedConn struct {
	net.Conn
	leave func()
}

func (c *placedConn) Close() error {
	defer c.leave()
	return c.Conn.Close()
}
