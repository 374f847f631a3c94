//go:build unix

package labserver

import "syscall"

// openFiles is the limit of open files of this process, which Go raises to the
// hard limit at its start.
func openFiles() int {
	var r syscall.Rlimit
	if err := syscall.Getrlimit(syscall.RLIMIT_NOFILE, &r); err != nil {
		return mostConnections
	}
	return int(min(uint64(r.Cur), 1<<30))
}
