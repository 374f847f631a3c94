package extclient

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"syscall"
	"time"

	"golang.org/x/sys/unix"
)

// diesWithParent makes the kernel kill the process when the bench dies, however
// it dies. The Go runtime looks whether the parent died before that was set.
func diesWithParent(a *syscall.SysProcAttr) { a.Pdeathsig = syscall.SIGKILL }

// awaitEnd returns when the process has ended, but does not reap it: until reap
// nobody else gets its number, so its group can be killed without hitting
// another one.
func awaitEnd(cmd *exec.Cmd) {
	for errors.Is(unix.Waitid(unix.P_PID, cmd.Process.Pid, nil, unix.WEXITED|unix.WNOWAIT, nil), unix.EINTR) {
	}
}

// queued is how long an ended process, not yet reaped, was ready to run and
// waited for a processor, by the kernel's account. It is that of its first
// thread: the others have taken theirs with them. 0 = unknown.
func queued(cmd *exec.Cmd) time.Duration {
	data, _ := os.ReadFile(fmt.Sprintf("/proc/%d/schedstat", cmd.Process.Pid))
	var ran, waited int64
	if _, err := fmt.Sscan(string(data), &ran, &waited); err != nil || waited < 0 {
		return 0
	}
	return time.Duration(waited)
}

func reap(cmd *exec.Cmd) { _ = cmd.Wait() }

// killMarked kills every process with all of these variables in the environment
// that it was started with: children of a client that left its group by making
// a session of their own. A process that forks meanwhile is met in the next
// round.
func killMarked(variables ...string) {
	for range 10 {
		if killRound(variables) == 0 {
			return
		}
	}
}

func killRound(variables []string) (killed int) {
	for _, pid := range numbers() {
		if pid != os.Getpid() && killIfMarked(pid, variables) {
			killed++
		}
	}
	return killed
}

// killIfMarked holds on to the process while it looks, so that the number
// cannot become another's in between.
func killIfMarked(pid int, variables []string) bool {
	fd, err := unix.PidfdOpen(pid, 0)
	if err != nil {
		return false
	}
	defer unix.Close(fd)
	data, err := os.ReadFile(fmt.Sprintf("/proc/%d/environ", pid))
	if err != nil || len(data) == 0 {
		return false
	}
	for _, v := range variables {
		if !bytes.Contains(append([]byte{0}, data...), []byte("\x00"+v+"\x00")) {
			return false
		}
	}
	return unix.PidfdSendSignal(fd, unix.SIGKILL, nil, 0) == nil
}
