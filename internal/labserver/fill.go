package labserver

import (
	"net"
	"sync"
)

// reserveBriefly finds a port at which nobody listens any more.
func reserveBriefly(cfg *Config, addr string) (at string, free func(), err error) {
	l, err := cfg.listen(addr)
	if err != nil {
		return "", nil, err
	}
	at = l.Addr().String()
	return at, func() {}, l.Close()
}

// backlog is a listener that sets its queue itself: one in memory.
type backlog interface{ SetBacklog(n int) }

// servedBacklog is that of a listener that serves.
const servedBacklog = 4096

// fill makes the queue of l, which nobody accepts from, as short as it can be
// and fills it; release undoes that, once.
func fill(l net.Listener) (release func(), err error) {
	if b, ok := l.(backlog); ok {
		b.SetBacklog(0)
		return sync.OnceFunc(func() { b.SetBacklog(servedBacklog) }), nil
	}
	return fillSocket(l)
}
