package doctor

import (
	"context"
	"net"
	"sync"
	"syscall"
)

// sockets are the connections of one client.
type sockets struct {
	dial dialFunc

	mu  sync.Mutex
	all []net.Conn
}

func (s *sockets) connect(ctx context.Context, network, addr string) (net.Conn, error) {
	c, err := s.dial(ctx, network, addr)
	if err != nil {
		return nil, err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.all = append(s.all, c)
	return c, nil
}

// wakeAt lets the client sleep until that many bytes can be read from a socket,
// or the connection ends. It does nothing to what is closed, or is no socket.
func (s *sockets) wakeAt(bytes int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, c := range s.all {
		if sc, ok := c.(syscall.Conn); ok {
			wakeAt(sc, bytes)
		}
	}
}
