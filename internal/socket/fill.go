// Package socket is what labserver asks of TCP sockets beyond package net: full
// backlogs, small receive buffers, bytes not yet sent or acknowledged.
package socket

import (
	"net"
	"sync"
)

// reserveBriefly finds a port at which nobody listens any more.
func reserveBriefly(listen func(network, addr string) (net.Listener, error), addr string) (at string, free func(), err error) {
	if listen == nil {
		listen = net.Listen
	}
	l, err := listen("tcp", addr)
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

// Fill makes the queue of l, which nobody accepts from, as short as it can be
// and fills it; release undoes that, once.
func Fill(l net.Listener) (release func(), err error) {
	if b, ok := l.(backlog); ok {
		b.SetBacklog(0)
		return sync.OnceFunc(func() { b.SetBacklog(servedBacklog) }), nil
	}
	return fillSocket(l)
}
