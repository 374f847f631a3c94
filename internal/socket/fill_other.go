//go:build !linux

package socket

import (
	"errors"
	"net"
)

// fillSocket: what a full queue does to a handshake differs between systems.
func fillSocket(net.Listener) (release func(), err error) {
	return nil, errors.New("a black hole needs Linux")
}
