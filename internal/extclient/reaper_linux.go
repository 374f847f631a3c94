package extclient

import (
	"os"
	"time"

	"golang.org/x/sys/unix"
)

// adopt makes bench the process that orphans below it come to, or no longer.
// It tells whether it is.
func adopt(orphans bool) bool {
	var on uintptr
	if orphans {
		on = 1
	}
	return unix.Prctl(unix.PR_SET_CHILD_SUBREAPER, on, 0, 0, 0) == nil && orphans
}

// orphans are bench's children that it has neither started itself nor had
// before there were clients. What nobody but bench can reap keeps its number:
// it may be signalled by it while the lock is held.
func (r *reaper) orphans() map[int]bool {
	found := map[int]bool{}
	for pid, s := range processes() {
		if s.parent == os.Getpid() && r.own[pid] == nil && !r.before[pid] {
			found[pid] = true
		}
	}
	return found
}

// reapEnded looks for orphans only if a child has ended and is not reaped yet:
// to look through all processes takes a millisecond of a core.
func (r *reaper) reapEnded() {
	var ended unix.Siginfo
	if err := unix.Waitid(unix.P_ALL, 0, &ended, unix.WEXITED|unix.WNOHANG|unix.WNOWAIT, nil); err == nil && ended.Signo != 0 {
		for pid := range r.orphans() {
			_, _ = unix.Wait4(pid, nil, unix.WNOHANG, nil)
		}
	}
}

// end ends all orphans and reaps them; what they have started themselves comes
// to bench by that, and is met in the next round. The first process of a
// container gets the orphans of everybody in it, and they end with it anyway.
func (r *reaper) end() {
	for until := time.Now().Add(endWithin); os.Getpid() != 1 && time.Now().Before(until); time.Sleep(time.Millisecond) {
		found := r.orphans()
		for pid := range found {
			if unix.Kill(pid, unix.SIGKILL) != nil {
				r.before[pid] = true // of another user: out of reach
			}
			_, _ = unix.Wait4(pid, nil, unix.WNOHANG, nil)
		}
		if len(found) == 0 {
			return
		}
	}
}
