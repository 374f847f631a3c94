package clock

import (
	"os"
	"strings"

	"golang.org/x/sys/unix"
)

// Name says which clock event times are nanoseconds of.
const Name = "CLOCK_MONOTONIC"

func monotonic() int64 {
	var ts unix.Timespec
	if err := unix.ClockGettime(unix.CLOCK_MONOTONIC, &ts); err != nil {
		panic("clock: CLOCK_MONOTONIC cannot be read: " + err.Error())
	}
	return ts.Nano()
}

// BootID tells whether two processes can share event times: they can when it
// is equal and both sit in one time namespace. Empty when unknown.
func BootID() string {
	b, err := os.ReadFile("/proc/sys/kernel/random/boot_id")
	if err != nil {
		return ""
	}
	return strings.TrimSpace(string(b))
}
