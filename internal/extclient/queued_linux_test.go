package extclient

import (
	"fmt"
	"os"
	"os/exec"
	"testing"
	"time"
)

// The kernel says of an ended process how long it waited for a processor, until
// it is reaped: its number may then be another's.
func TestQueued(t *testing.T) {
	cmd := exec.Command("/bin/true")
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	awaitEnd(cmd)
	account, err := os.ReadFile(fmt.Sprintf("/proc/%d/schedstat", cmd.Process.Pid))
	if err != nil {
		reap(cmd)
		missing(t, "this kernel keeps no account: ", err)
	}
	var ran, waited, slices int64
	if n, err := fmt.Sscan(string(account), &ran, &waited, &slices); n != 3 || ran == 0 {
		t.Errorf("account %q: %v", account, err)
	}
	if got := queued(cmd); got != time.Duration(waited) {
		t.Errorf("waited %v, want the second number of %q", got, account)
	}
	reap(cmd)
	if got := queued(cmd); got != 0 {
		t.Errorf("a process that is gone waited %v", got)
	}
}
