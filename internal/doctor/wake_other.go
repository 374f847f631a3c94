//go:build !linux

package doctor

import "syscall"

// wakeAt does nothing: there the client is woken by what comes first.
func wakeAt(syscall.Conn, int) {}
