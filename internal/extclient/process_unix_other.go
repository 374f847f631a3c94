//go:build unix && !linux

package extclient

import "syscall"

// diesWithParent needs Linux.
func diesWithParent(*syscall.SysProcAttr) {}
