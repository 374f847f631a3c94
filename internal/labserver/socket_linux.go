package labserver

import (
	"net"
	"syscall"
	"time"

	"golang.org/x/sys/unix"
)

// unacknowledged is how many bytes the client's system has not acknowledged yet.
func unacknowledged(c net.Conn) (n int) {
	onSocket(c, func(fd int) { n, _ = unix.IoctlGetInt(fd, unix.SIOCOUTQ) })
	return n
}

// unsentOf is how many bytes have not been sent yet.
func unsentOf(c net.Conn) (n int) {
	onSocket(c, func(fd int) { n, _ = unix.IoctlGetInt(fd, unix.SIOCOUTQNSD) })
	return n
}

// withoutRoom is how long, since the connection was made, the client had no room
// for what was to be sent, to a tick of the kernel.
func withoutRoom(c net.Conn) (d time.Duration) {
	onSocket(c, func(fd int) {
		if info, err := unix.GetsockoptTCPInfo(fd, unix.IPPROTO_TCP, unix.TCP_INFO); err == nil {
			d = time.Duration(info.Rwnd_limited) * time.Microsecond
		}
	})
	return d
}

// unread is how many bytes of the client wait to be read.
func unread(c net.Conn) (n int) {
	onSocket(c, func(fd int) { n, _ = unix.IoctlGetInt(fd, unix.SIOCINQ) })
	return n
}

// receiveBuffer sets the receive buffer of what l accepts from now on; Linux
// doubles the size.
func receiveBuffer(l net.Listener, size int) {
	onSocket(l, func(fd int) { unix.SetsockoptInt(fd, unix.SOL_SOCKET, unix.SO_RCVBUF, size) })
}

// States of a connection, as the kernel numbers them.
const (
	tcpClose     = 7
	tcpCloseWait = 8
)

// stateOf tells how the client has left, as far as the kernel knows: fin, rst
// or empty. It is not known of what is no socket.
func stateOf(c net.Conn) (how string, known bool) {
	known = onSocket(c, func(fd int) {
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

// onSocket calls use with the descriptor of a socket that is open.
func onSocket(c any, use func(fd int)) bool {
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
