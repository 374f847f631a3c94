//go:build unix && !linux

package foreign

import "syscall"

// diesWithParent needs Linux.
func diesWithParent(*syscall.SysProcAttr) {}
