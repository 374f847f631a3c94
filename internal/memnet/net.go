// Package memnet is a TCP-like network in memory. Everything it waits on is a
// channel, so that inside a testing/synctest bubble a client and a server of
// net/http run over it in virtual time, with exact durations.
//
// Dialling, and the way from a Write to the peer's buffer, take no time. Ends
// behave as on Linux: a Close with everything read is a FIN, with unread data
// or a linger of 0 a reset.
package memnet

import (
	"context"
	"net"
	"net/netip"
	"os"
	"sync"
	"syscall"
)

// Ports that listeners and dialling clients get unless they ask for one.
const (
	firstListenPort = 10_000
	firstClientPort = 32_768
)

// Net is one network: who listens on it can be dialled on it. It is safe for
// concurrent use.
type Net struct {
	mu         sync.Mutex
	listeners  map[netip.AddrPort]*listener
	nextListen uint16
	nextClient uint16
}

// New returns an empty network.
func New() *Net {
	return &Net{listeners: map[netip.AddrPort]*listener{}, nextListen: firstListenPort, nextClient: firstClientPort}
}

// Listen announces addr (host:port; port 0 picks a free one, an empty host is
// every address). network must be tcp, tcp4 or tcp6. A taken address is
// syscall.EADDRINUSE in a *net.OpError.
func (n *Net) Listen(network, addr string) (net.Listener, error) {
	at, err := parse(network, addr)
	if err != nil {
		return nil, &net.OpError{Op: "listen", Net: network, Err: err}
	}
	n.mu.Lock()
	defer n.mu.Unlock()
	if at.Port() == 0 {
		at = netip.AddrPortFrom(at.Addr(), n.freePort())
	}
	if _, taken := n.listeners[at]; taken || at.Port() == 0 {
		return nil, &net.OpError{Op: "listen", Net: network, Addr: tcpAddr(at), Err: os.NewSyscallError("bind", syscall.EADDRINUSE)}
	}
	l := &listener{net: n, at: at, backlog: Backlog}
	n.listeners[at] = l
	return l, nil
}

// freePort is the next port nobody listens on, 0 if there is none. The caller
// holds mu.
func (n *Net) freePort() uint16 {
	for range firstClientPort - firstListenPort {
		port := n.nextListen
		if n.nextListen++; n.nextListen == firstClientPort {
			n.nextListen = firstListenPort
		}
		if !n.listening(port) {
			return port
		}
	}
	return 0
}

func (n *Net) listening(port uint16) bool {
	for at := range n.listeners {
		if at.Port() == port {
			return true
		}
	}
	return false
}

// DialContext connects to a listener. Nobody listening is syscall.ECONNREFUSED
// in a *net.OpError; a full backlog is tried again after 1, 3, 7 … s until ctx ends. Client ports
// count up and are used again after 32,768 dials.
func (n *Net) DialContext(ctx context.Context, network, addr string) (net.Conn, error) {
	at, err := parse(network, addr)
	if err != nil {
		return nil, dialError(network, nil, err)
	}
	if err := ctx.Err(); err != nil {
		return nil, dialError(network, tcpAddr(at), err)
	}
	l := n.find(at)
	if l == nil {
		return nil, dialError(network, tcpAddr(at), refused)
	}
	client, server := pair(n.clientAddr(at), at)
	if err := l.enqueue(ctx, server); err != nil {
		return nil, dialError(network, tcpAddr(at), err)
	}
	return client, nil
}

var refused = os.NewSyscallError("connect", syscall.ECONNREFUSED)

func dialError(network string, at net.Addr, err error) error {
	return &net.OpError{Op: "dial", Net: network, Addr: at, Err: err}
}

// find is the listener for at: of this very address, else of every address.
func (n *Net) find(at netip.AddrPort) *listener {
	n.mu.Lock()
	defer n.mu.Unlock()
	if l := n.listeners[at]; l != nil {
		return l
	}
	for _, any := range []netip.Addr{netip.IPv6Unspecified(), netip.IPv4Unspecified()} {
		if l := n.listeners[netip.AddrPortFrom(any, at.Port())]; l != nil {
			return l
		}
	}
	return nil
}

// clientAddr is the local address of a new connection to at.
func (n *Net) clientAddr(at netip.AddrPort) netip.AddrPort {
	n.mu.Lock()
	defer n.mu.Unlock()
	port := n.nextClient
	if n.nextClient++; n.nextClient == 0 {
		n.nextClient = firstClientPort
	}
	host := netip.AddrFrom4([4]byte{127, 0, 0, 1})
	if at.Addr().Is6() {
		host = netip.IPv6Loopback()
	}
	return netip.AddrPortFrom(host, port)
}

func (n *Net) remove(at netip.AddrPort) {
	n.mu.Lock()
	defer n.mu.Unlock()
	delete(n.listeners, at)
}

// parse knows IP addresses and localhost: there is no name service here.
func parse(network, addr string) (netip.AddrPort, error) {
	if network != "tcp" && network != "tcp4" && network != "tcp6" {
		return netip.AddrPort{}, net.UnknownNetworkError(network)
	}
	host, port, err := net.SplitHostPort(addr)
	if err != nil {
		return netip.AddrPort{}, err
	}
	switch host {
	case "":
		host = "::"
	case "localhost":
		host = "127.0.0.1"
	}
	at, err := netip.ParseAddrPort(net.JoinHostPort(host, port))
	if err != nil {
		return netip.AddrPort{}, &net.DNSError{Err: "memnet knows IP addresses and localhost only", Name: addr, IsNotFound: true}
	}
	return at, nil
}

func tcpAddr(at netip.AddrPort) net.Addr { return net.TCPAddrFromAddrPort(at) }
