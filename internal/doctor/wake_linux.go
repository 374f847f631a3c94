package doctor

import "syscall"

// wakeAt tells the system; it fails for a closed connection only. A threshold
// that is lowered wakes the reader if there is enough already.
func wakeAt(c syscall.Conn, bytes int) {
	raw, err := c.SyscallConn()
	if err != nil {
		return
	}
	raw.Control(func(fd uintptr) {
		syscall.SetsockoptInt(int(fd), syscall.SOL_SOCKET, syscall.SO_RCVLOWAT, bytes)
	})
}
