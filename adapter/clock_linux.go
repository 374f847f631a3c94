package adapter

import (
	"syscall"
	"time"
	"unsafe"
)

const (
	hostClock      = ClockMonotonic
	clockMonotonic = 1 // CLOCK_MONOTONIC
)

// monotonic reads the clock that all processes of this host share.
func monotonic() int64 {
	var ts syscall.Timespec
	if _, _, errno := syscall.Syscall(syscall.SYS_CLOCK_GETTIME, clockMonotonic, uintptr(unsafe.Pointer(&ts)), 0); errno != 0 {
		panic("adapter: CLOCK_MONOTONIC cannot be read: " + errno.Error())
	}
	return time.Duration(ts.Nano()).Nanoseconds()
}
