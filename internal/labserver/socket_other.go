//go:build !linux

package labserver

import (
	"net"
	"time"
)

// unacknowledged is not known here: a reset may overtake what was sent.
func unacknowledged(net.Conn) int { return 0 }

// unsentOf is not known here: what a client does not read makes a fault late.
func unsentOf(net.Conn) int { return 0 }

// withoutRoom is not known here either.
func withoutRoom(net.Conn) time.Duration { return 0 }

// unread is not known here: a close with something unread is logged as a FIN.
func unread(net.Conn) int { return 0 }

// receiveBuffer is set for each connection alone: its first bytes may be sent twice.
func receiveBuffer(net.Listener, int) {}

// stateOf is not known here: a client that leaves a connection that nobody
// reads is missed until something is written.
func stateOf(net.Conn) (how string, known bool) { return "", false }
