//go:build unix

package extclient

import (
	"os/exec"
	"syscall"
)

// group is the process group of a client's process: the process and what it
// starts, unless that leaves the group. Ctrl-C in the terminal does not reach it.
type group struct{ pid int }

func newGroup(cmd *exec.Cmd) *group {
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	diesWithParent(cmd.SysProcAttr)
	return &group{}
}

func (g *group) started(cmd *exec.Cmd) { g.pid = cmd.Process.Pid }

// terminate asks, kill does not.
func (g *group) terminate() { g.send(syscall.SIGTERM) }
func (g *group) kill()      { g.send(syscall.SIGKILL) }
func (g *group) close()     {}

// send fails if the whole group has gone, which is as good. Group 0 would be the
// bench's own.
func (g *group) send(s syscall.Signal) {
	if g.pid > 0 {
		_ = syscall.Kill(-g.pid, s)
	}
}

// endedBy is the signal that ended the process; empty = it exited.
func endedBy(cmd *exec.Cmd) string {
	if s, ok := cmd.ProcessState.Sys().(syscall.WaitStatus); ok && s.Signaled() {
		return s.Signal().String()
	}
	return ""
}
