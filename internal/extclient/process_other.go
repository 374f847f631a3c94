//go:build !linux

package extclient

import (
	"os/exec"
	"time"
)

// awaitEnd returns when the process has ended. It is reaped by that: what is
// sent to its group an instant later goes by a number that is free, though not
// yet given again.
func awaitEnd(cmd *exec.Cmd) { _ = cmd.Wait() }

// queued needs Linux: elsewhere how long it waited for a processor is unknown.
func queued(*exec.Cmd) time.Duration { return 0 }

func reap(*exec.Cmd) {}

// killMarked needs Linux: elsewhere the environment of a process is not to be
// read, and a child that leaves its group lives on.
func killMarked(...string) {}

// killTree kills the group: elsewhere what has left it is not known.
func killTree(g *group) { g.kill() }
