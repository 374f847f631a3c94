package extclient

import (
	"fmt"
	"os"
	"slices"
	"strconv"
	"strings"

	"golang.org/x/sys/unix"
)

// status is what /proc says of a process.
type status struct {
	parent int
	born   string // clock ticks since the machine was started
}

// numbers are those of all processes that can be seen; none where /proc is that
// of other processes than ours, whose numbers mean something else.
func numbers() (pids []int) {
	if self, err := os.Readlink("/proc/self"); err != nil || self != strconv.Itoa(os.Getpid()) {
		return nil
	}
	entries, _ := os.ReadDir("/proc")
	for _, e := range entries {
		if pid, err := strconv.Atoi(e.Name()); err == nil {
			pids = append(pids, pid)
		}
	}
	return pids
}

// processes are all that can be seen.
func processes() map[int]status {
	all := map[int]status{}
	for _, pid := range numbers() {
		if s, ok := statusOf(pid); ok {
			all[pid] = s
		}
	}
	return all
}

// statusOf reads /proc/PID/stat. The name of the program is in parentheses, and
// may hold any characters.
func statusOf(pid int) (status, bool) {
	data, _ := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	fields := strings.Fields(string(data[strings.LastIndexByte(string(data), ')')+1:]))
	if len(fields) < 20 {
		return status{}, false
	}
	parent, err := strconv.Atoi(fields[1])
	return status{parent: parent, born: fields[19]}, err == nil
}

// below are the processes that pid has started, and those that they have.
func below(pid int, all map[int]status) (found []int) {
	for next := []int{pid}; len(next) > 0 && pid > 0; {
		parent := next[0]
		next = next[1:]
		for child, s := range all {
			if s.parent == parent && !slices.Contains(found, child) {
				found, next = append(found, child), append(next, child)
			}
		}
	}
	return found
}

// killTree kills the group of a process that has not been reaped, and all that
// it has started as far as those between still run, wherever that went. The
// group goes first: it is not to see its children die. What is held cannot
// leave its number to another in between.
func killTree(g *group) {
	all := processes()
	held := hold(below(g.pid, all), all)
	g.kill()
	for _, fd := range held {
		_ = unix.PidfdSendSignal(fd, unix.SIGKILL, nil, 0)
		unix.Close(fd)
	}
}

// hold takes hold of processes that are still those that were seen.
func hold(pids []int, seen map[int]status) (held []int) {
	for _, pid := range pids {
		fd, err := unix.PidfdOpen(pid, 0)
		if err != nil {
			continue
		}
		if now, ok := statusOf(pid); ok && now.born == seen[pid].born {
			held = append(held, fd)
		} else {
			unix.Close(fd)
		}
	}
	return held
}
