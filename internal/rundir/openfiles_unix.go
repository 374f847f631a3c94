//go:build unix

package rundir

import "syscall"

// OpenFiles is how many files this process may have open; 0 = unknown.
func OpenFiles() uint64 {
	var limit syscall.Rlimit
	if syscall.Getrlimit(syscall.RLIMIT_NOFILE, &limit) != nil {
		return 0
	}
	return uint64(limit.Cur)
}
