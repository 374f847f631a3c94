//go:build !linux

package socket

import (
	"net"
	"time"
)

// Unacknowledged is not known here: a reset may overtake what was sent.
func Unacknowledged(net.Conn) int { return 0 }

// UnsentOf is not known here: what a client does not read makes a fault late.
func UnsentOf(net.Conn) int { return 0 }

// WithoutRoom is not known here either.
func WithoutRoom(net.Conn) time.Duration { return 0 }

// Unread is not known here: a close with something unread is logged as a FIN.
func Unread(net.Conn) int { return 0 }

// ReceiveBuffer is set for each connection alone: its first bytes may be sent twice.
func ReceiveBuffer(net.Listener, int) {}

// StateOf is not known here: a client that leaves a connection that nobody
// reads is missed until something is written.
func StateOf(net.Conn) (how string, known bool) { return "", false }
