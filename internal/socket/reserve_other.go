//go:build !unix

package socket

import "net"

// Reserve cannot keep a port without listening here: somebody else may get it.
func Reserve(listen func(network, addr string) (net.Listener, error), addr string) (at string, free func(), err error) {
	return reserveBriefly(listen, addr)
}
