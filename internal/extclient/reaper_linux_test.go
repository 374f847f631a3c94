package extclient

import (
	"context"
	"os"
	"os/exec"
	"strconv"
	"testing"
	"time"
	"unsafe"

	"golang.org/x/sys/unix"

	"github.com/deadlinelab/deadlinelab/adapter"
	"github.com/deadlinelab/deadlinelab/internal/clock"
	"github.com/deadlinelab/deadlinelab/internal/eventlog"
	"github.com/deadlinelab/deadlinelab/internal/variants"
)

func init() {
	hostile["forks away bare"] = func(h *hostileClient) {
		op := h.begun()
		fork(func(c *exec.Cmd) {
			ownSession(c)
			c.Args, c.Env = as("child"), []string{"FOREIGN_TEST_READY=" + os.Getenv("FOREIGN_TEST_READY")}
		})
		h.event(op, adapter.OperationFinished, "refused")
		h.hear()
	}
}

// orphaning is a client that starts a command in a session of its own and
// without any environment, and goes on as rest says when that is there and has
// said its number.
func orphaning(t *testing.T, command, rest string) []string {
	t.Helper()
	for _, tool := range []string{"sh", "setsid", "env"} {
		if _, err := exec.LookPath(tool); err != nil {
			missing(t, err)
		}
	}
	return []string{"sh", "-c", `setsid env -i sh -c "printf \$\$ >$FOREIGN_TEST_READY.new; mv $FOREIGN_TEST_READY.new $FOREIGN_TEST_READY; exec ` + command + `" &
until [ -s "$FOREIGN_TEST_READY" ]; do sleep 0.01; done; ` + rest}
}

const success = "echo deadlinelab:$DEADLINELAB_ID"

// orphanOf makes a call that ends by itself and leaves a process behind.
func orphanOf(t *testing.T, x *program, ready func() string) (orphan int) {
	t.Helper()
	if e := callExec(t.Context(), x); e.Outcome != eventlog.Success {
		t.Fatalf("%+v", e)
	}
	return pid(t, ready())
}

// there tells whether the number is that of a process, or of one that nobody
// has reaped.
func there(pid int) bool {
	_, err := os.Stat("/proc/" + strconv.Itoa(pid))
	return err == nil
}

// What has left its group and lost its environment lives as long as there is a
// client whom it may serve, and goes with the last one.
func TestOrphan(t *testing.T) {
	ready := readyFile(t)
	x := startedExec(t, orphaning(t, "sleep 300", success), nil)
	other := startedExec(t, as("say", "deadlinelab:{id}", "0"), nil)
	orphan := orphanOf(t, x, ready)
	callExec(t.Context(), other)
	x.stop()
	if !adopting(t) || !lives(orphan) {
		t.Error("it was killed while a client was left")
	}
	other.stop()
	if there(orphan) {
		t.Error("it is there after the run")
	}
	if adopting(t) {
		t.Error("orphans still come to bench after the run")
	}
}

// adopting tells whether what is orphaned below this process comes to it.
func adopting(t *testing.T) bool {
	t.Helper()
	var on int32
	if err := unix.Prctl(unix.PR_GET_CHILD_SUBREAPER, uintptr(unsafe.Pointer(&on)), 0, 0, 0); err != nil {
		t.Fatal(err)
	}
	return on == 1
}

// What bench started itself is waited for by whoever started it, and what was
// there before is nobody's business.
func TestOwnChildrenStay(t *testing.T) {
	ready := readyFile(t)
	before := exec.Command(self, "as", "rest")
	if err := before.Start(); err != nil {
		t.Fatal(err)
	}
	x := startedExec(t, orphaning(t, "sleep 300", success), nil)
	own := exec.Command(self, "as", "rest")
	ended, err := Start(own)
	if err != nil {
		t.Fatal(err)
	}
	ready()
	x.stop()
	for name, c := range map[string]*exec.Cmd{"before": before, "own": own} {
		if !lives(c.Process.Pid) {
			t.Errorf("%s: it was killed", name)
		}
		if err := c.Process.Kill(); err != nil {
			t.Error(name, err)
		}
		if err := c.Wait(); err == nil || err.Error() != "signal: killed" {
			t.Errorf("%s: waited for with %v", name, err)
		}
	}
	ended()
	if orphans.own[own.Process.Pid] != nil {
		t.Error("a process that has ended is still one's own")
	}
}

// A process of bench that ends while there are clients is left to whoever waits
// for it, however often orphans are looked for.
func TestOwnChildIsNotReaped(t *testing.T) {
	startedExec(t, as("rest"), nil)
	own := exec.Command("sh", "-c", "exit 7")
	ended, err := Start(own)
	if err != nil {
		t.Fatal(err)
	}
	awaitEnd(own)
	orphans.collectOnce(make(chan struct{}))
	if err := own.Wait(); err == nil || err.Error() != "exit status 7" {
		t.Errorf("waited for with %v", err)
	}
	ended()
}

// A number that is given again before its last process is forgotten belongs to
// the new one.
func TestNumberGivenAgain(t *testing.T) {
	first, second := &exec.Cmd{Process: &os.Process{Pid: 7}}, &exec.Cmd{Process: &os.Process{Pid: 7}}
	r := &reaper{own: map[int]*exec.Cmd{7: second}}
	r.ended(first)
	if r.own[7] != second {
		t.Error("the end of the first was taken for that of the second")
	}
	r.ended(second)
	if len(r.own) != 0 {
		t.Error("the second is not forgotten")
	}
}

// An orphan that ends by itself is reaped while the run goes on.
func TestOrphanIsReaped(t *testing.T) {
	ready := readyFile(t)
	orphan := orphanOf(t, startedExec(t, orphaning(t, "true", success), nil), ready)
	for there(orphan) {
		time.Sleep(time.Millisecond)
	}
}

// At the cap what a call has started goes with it, as far as it can be told;
// what another call has left does not.
func TestOrphansAtCap(t *testing.T) {
	ready := readyFile(t)
	left := orphanOf(t, startedExec(t, orphaning(t, "sleep 300", success), nil), ready)
	ready = readyFile(t)
	x := startedExec(t, orphaning(t, "sleep 300 >/dev/null 2>&1", "wait"), nil)
	ctx, cancel := context.WithCancelCause(t.Context())
	go func() {
		ready()
		cancel(variants.ErrCap)
	}()
	if e := callExec(ctx, x); e.Outcome != eventlog.CapReached || e.ErrorType != "signal: killed" {
		t.Errorf("%+v", e)
	}
	awaitDeath(pid(t, ready()))
	if !lives(left) {
		t.Error("what another call has left was killed")
	}
}

// An adapter's orphans go with it too.
func TestOrphanOfAdapter(t *testing.T) {
	ready := readyFile(t)
	v, stop, err := StartAdapter(t.Context(), "hostile", as("hostile", "forks away bare"), AdapterOptions{Clock: clock.New(), Env: append(os.Environ(), promptly)})
	if err != nil {
		t.Fatal(err)
	}
	defer stop()
	v.External.Caller.Call(t.Context(), newCall("a").Call)
	orphan := pid(t, ready())
	if !lives(orphan) {
		t.Error("it was killed while its client was there")
	}
	stop()
	if there(orphan) {
		t.Error("it is there after the run")
	}
}

// A process that gives its number away in between is not held.
func TestHold(t *testing.T) {
	c := exec.Command(self, "as", "rest")
	if err := c.Start(); err != nil {
		t.Fatal(err)
	}
	n := c.Process.Pid
	seen := processes()
	if s := seen[n]; s.parent != os.Getpid() || len(hold([]int{n}, seen)) != 1 {
		t.Errorf("%+v is not held", s)
	}
	if held := hold([]int{n}, map[int]status{n: {parent: os.Getpid(), born: "1"}}); len(held) != 0 {
		t.Error("a process that was born at another time is held")
	}
	_ = c.Process.Kill()
	_ = c.Wait()
	if held := hold([]int{n}, seen); len(held) != 0 {
		t.Error("a process that is gone is held")
	}
}

// Descendants are found below any chain, and a chain that bites its tail, as a
// reading during reuse of numbers may, ends.
func TestBelow(t *testing.T) {
	all := map[int]status{1: {parent: 0}, 10: {parent: 1}, 11: {parent: 10}, 12: {parent: 11}, 13: {parent: 14}, 14: {parent: 13}, 20: {parent: 1}}
	if got := below(10, all); len(got) != 2 || got[0] != 11 || got[1] != 12 {
		t.Errorf("below 10: %v", got)
	}
	if got := below(13, all); len(got) != 2 {
		t.Errorf("below 13: %v", got)
	}
	if got := below(0, all); got != nil {
		t.Errorf("below no process: %v", got)
	}
}
