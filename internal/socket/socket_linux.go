package socket

import (
	"net"
	"syscall"
	"time"

	"golang.org/x/sys/unix"
)

// Unacknowledged is how many bytes the client's system has not acknowledged yet.
func Unacknowledged(c net.Conn) (n int) {
	OnSocket(c, func(fd int) { n, _ = unix.IoctlGetInt(fd, unix.SIOCOUTQ) })
	return n
}

// UnsentOf is how many bytes have not been sent yet.
func UnsentOf(c net.Conn) (n int) {
	OnSocket(c, func(fd int) { n, _ = unix.IoctlGetInt(fd, unix.SIOCOUTQNSD) })
	return n
}

// WithoutRoom is how long, since the connection was made, the client had no room
// for what was to be sent, to a tick of the kernel.
func WithoutRoom(c net.Conn) (d time.Duration) {
	OnSocket(c, func(fd int) {
		if info, err := unix.GetsockoptTCPInfo(fd, unix.IPPROTO_TCP, unix.TCP_INFO); err == nil {
			d = time.Duration(info.Rwnd_limited) * time.Microsecond
		}
	})
	return d
}

// Unread is how many bytes of the client wait to be read.
func Unread(c net.Conn) (n int) {
	OnSocket(c, func(fd int) { n, _ = unix.IoctlGetInt(fd, unix.SIOCINQ) })
	return n
}

// ReceiveBuffer sets the receive buffer of what l accepts from now on; Linux
// doubles the size.
func ReceiveBuffer(l net.Listener, size int) {
	OnSocket(l, func(fd int) { unix.SetsockoptInt(fd, unix.SOL_SOCKET, unix.SO_RCVBUF, size) })
}

// States of a connection, as the kernel numbers them.
const (
	tcpClose     = 7
	tcpCloseWait = 8
)

// StateOf tells how the client has left, as far as the kernel knows: fin, rst
// or empty. It is not known of what is no socket.
func StateOf(c net.Conn) (how string, known bool) {
	known = OnSocket(c, func(fd int) {
		info, err := unix.GetsockoptTCPInfo(fd, unix.IPPROTO_TCP, unix.TCP_INFO)
		switch {
		case err != nil:
		case info.State == tcpClose:
			how = "rst"
		case info.State == tcpCloseWait:
			how = "fin"
		}
	})
	return how, known
}

// OnSocket calls use with the descriptor of a socket that is open.
func OnSocket(c any, use func(fd int)) bool {
	socket, ok := c.(syscall.Conn)
	if !ok {
		return false
	}
	raw, err := socket.SyscallConn()
	if err != nil {
		return false
	}
	return raw.Control(func(fd uintptr) { use(int(fd)) }) == nil
}
