//go:build unix

package main

import (
	"os"
	"os/signal"
	"syscall"
)

// keepWriting turns the signals that would kill bench in the middle of a write
// into that write's error: a reader that leaves (SIGPIPE), a file that reaches
// its limit (SIGXFSZ). A child does not inherit that.
func keepWriting() { signal.Notify(make(chan os.Signal, 1), syscall.SIGPIPE, syscall.SIGXFSZ) }
