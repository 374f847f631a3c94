package extclient

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/deadlinelab/deadlinelab/internal/eventlog"
	"github.com/deadlinelab/deadlinelab/internal/variants"
)

func ownSession(c *exec.Cmd) { c.SysProcAttr = &syscall.SysProcAttr{Setsid: true} }

func init() {
	// bench starts a client of its own and says when that is there.
	programs["bench"] = func([]string) {
		p := newProcess(as("child"), os.Environ(), "", mostOutput)
		if err := p.start(newStarter(), func(time.Time) {}); err != nil {
			os.Exit(97)
		}
		forever()
	}
}

func pid(t *testing.T, text string) int {
	t.Helper()
	n, err := strconv.Atoi(text)
	if err != nil {
		t.Fatal(err)
	}
	return n
}

// lives tells whether the process is there and no zombie.
func lives(pid int) bool {
	data, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	if err != nil {
		return false
	}
	_, rest, _ := strings.Cut(string(data), ") ")
	return !strings.HasPrefix(rest, "Z") && !strings.HasPrefix(rest, "X")
}

// awaitDeath fails the test's deadline, not a duration, if the process lives on.
func awaitDeath(pid int) {
	for lives(pid) {
		time.Sleep(time.Millisecond)
	}
}

// A child of the group goes with its parent; one in a session of its own keeps
// the output open, which holds nobody up, and goes when the run is over.
func TestChildren(t *testing.T) {
	for _, where := range []string{"group", "session"} {
		t.Run(where, func(t *testing.T) {
			ready := readyFile(t)
			x := startedExec(t, as("parent", where), nil)
			if e := callExec(t.Context(), x); e.Outcome != eventlog.Success {
				t.Errorf("%+v", e)
			}
			child := pid(t, ready())
			if where == "session" {
				if !lives(child) {
					t.Error("the child in a session of its own was killed before the run was over")
				}
				x.stop()
			}
			awaitDeath(child)
		})
	}
}

// At the cap everything that the operation started goes at once.
func TestChildrenAtCap(t *testing.T) {
	for _, where := range []string{"group", "session"} {
		t.Run(where, func(t *testing.T) {
			ready := readyFile(t)
			x := startedExec(t, as("parent", where, "stay"), nil)
			ctx, cancel := context.WithCancelCause(t.Context())
			go func() {
				ready()
				cancel(variants.ErrCap)
			}()
			e := callExec(ctx, x)
			awaitDeath(pid(t, ready()))
			if e.Broken != "" {
				t.Errorf("%+v", e)
			}
		})
	}
}

// Only what carries every variable is killed.
func TestKillMarked(t *testing.T) {
	ready := readyFile(t)
	x := startedExec(t, as("parent", "session"), nil)
	callExec(t.Context(), x)
	child := pid(t, ready())
	killMarked(x.mark, "DEADLINELAB_ID=op-2")
	killMarked(x.mark + "x")
	if !lives(child) {
		t.Fatal("a process of another operation was killed")
	}
	killMarked(x.mark, "DEADLINELAB_ID=op-1")
	awaitDeath(child)
}

// A bench that is killed takes its clients with it.
func TestDiesWithParent(t *testing.T) {
	ready := readyFile(t)
	bench := exec.Command(self, "as", "bench")
	bench.Env = os.Environ()
	if err := bench.Start(); err != nil {
		t.Fatal(err)
	}
	child := pid(t, ready())
	if err := bench.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	_ = bench.Wait()
	awaitDeath(child)
}

// A signal that the bench did not send is the client's own breakdown.
func TestForeignSignal(t *testing.T) {
	x := startedExec(t, []string{"/bin/sh", "-c", "echo dying >&2; kill -SEGV $$"}, nil)
	e := callExec(t.Context(), x)
	if e.Outcome != eventlog.ClientError || !strings.HasPrefix(e.Broken, "was ended by the signal: segmentation fault") || !strings.HasSuffix(e.Broken, "dying") {
		t.Errorf("%+v", e)
	}
}

// Giving the run up ends a process at once, whatever the reason.
func TestGivenUp(t *testing.T) {
	ready := readyFile(t)
	x := startedExec(t, as("ignore-term"), nil)
	ctx, cancel := context.WithCancelCause(t.Context())
	go func() {
		ready()
		cancel(errors.New("labserver died"))
	}()
	if e := callExec(ctx, x); e.Outcome != eventlog.Cancelled || !strings.HasPrefix(e.Error, "labserver died") || e.Broken != "" {
		t.Errorf("%+v", e)
	}
}

// What outlives a bench that was killed can be found by its mark, and nothing
// else is.
func TestKillLeft(t *testing.T) {
	ready := readyFile(t)
	x := startedExec(t, as("parent", "session"), nil)
	callExec(t.Context(), x)
	child := pid(t, ready())
	KillLeft("")
	KillLeft(Mark() + "x")
	if !lives(child) {
		t.Fatal("a process of another bench was killed")
	}
	KillLeft(Mark())
	awaitDeath(child)
}
