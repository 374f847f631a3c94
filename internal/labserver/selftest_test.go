package labserver

import (
	"bytes"
	"io"
	"net"
	"os"
	"runtime"
	"strings"
	"syscall"
	"testing"
	"time"

	"go.uber.org/goleak"

	"github.com/deadlinelab/deadlinelab/internal/clock"
	"github.com/deadlinelab/deadlinelab/internal/fault"
)

// Every fault is on the wire what its script says, and none leaves a socket, a
// goroutine or a file behind.
func TestProofs(t *testing.T) {
	leaks := goleak.IgnoreCurrent()
	before := openDescriptors(t)
	s := New(Config{Clock: clock.New()})
	for _, v := range proveAll(s, proofs()) {
		for _, problem := range v.problems {
			t.Errorf("%s: %s", v.proof.fault, problem)
		}
	}
	s.Close()
	goleak.VerifyNone(t, leaks)
	if after := openDescriptors(t); after > before {
		t.Errorf("%d files before, %d after", before, after)
	}
}

// openDescriptors counts the open files of this process, after a first use of
// the network: its poller stays open.
func openDescriptors(t *testing.T) int {
	t.Helper()
	if runtime.GOOS != "linux" {
		t.Skip("counts /proc/self/fd")
	}
	New(Config{Clock: clock.New()}).Close()
	list, err := os.ReadDir("/proc/self/fd")
	if err != nil {
		t.Fatal(err)
	}
	return len(list)
}

// A new fault without a proof is noticed. Those of the core have tests of their
// own: they only delay what net/http writes.
func TestEveryFaultIsProven(t *testing.T) {
	core := " healthy slow_headers slow_body transient_error persistent_error semaphore_wait pool_wait cancel_in_http cancel_in_backoff hang backoff_holds_slot "
	var proven strings.Builder
	for _, p := range proofs() {
		proven.WriteString(p.fault)
	}
	for _, name := range fault.Names() {
		if !strings.Contains(core, " "+name+" ") && !strings.Contains(proven.String(), "{type: "+name+",") && !strings.Contains(proven.String(), "{type: "+name+"}") {
			t.Errorf("%s has no proof", name)
		}
	}
}

// What is not as expected is said, whatever it is.
func TestProofsCanFail(t *testing.T) {
	whole := rawProof(200, "")
	for _, c := range []struct {
		name string
		p    proof
		want string
	}{
		{"bytes", proof{fault: "{type: close_at, byte: 17}", says: get(), want: at(0, whole[:18]), end: "fin"}, "found the bytes"},
		{"early", proof{fault: "{type: close_at, byte: 17}", says: get(), want: at(60_000, whole[:17]), end: "fin", endAt: 0}, "text 1 came after"},
		{"early end", proof{fault: "{type: close_at}", says: get(), end: "fin", endAt: time.Minute}, "it ended after"},
		{"end", proof{fault: "{type: reset_at}", says: get(), end: "fin"}, "it ended with rst, expected fin"},
		{"commits", proof{fault: "{type: close_at}", says: get(), end: "fin", commits: 1}, "found 0 effect_committed, expected 1"},
		{"unsent", proof{fault: "{type: close_at}", says: get(), end: "fin", unsent: true}, "bytes could be sent"},
		{"no such fault", proof{fault: "{type: close_att}", end: "fin"}, "close_att"},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := New(Config{Clock: clock.New()})
			defer s.Close()
			if v := c.p.prove(s); !strings.Contains(strings.Join(v.problems, "\n"), c.want) {
				t.Errorf("found %q, expected %q", v.problems, c.want)
			}
		})
	}
}

// The command prints a line for each proof.
func TestSelftestCommand(t *testing.T) {
	var out, errs bytes.Buffer
	code := Main([]string{"selftest"}, strings.NewReader(""), &out, &errs, func(string) string { return "" })
	if code != exitOK || errs.Len() > 0 {
		t.Errorf("exit %d: %s%s", code, out.String(), errs.String())
	}
	if n := strings.Count(out.String(), "\nok "); n != len(proofs()) {
		t.Errorf("%d proofs printed, expected %d", n, len(proofs()))
	}
}

// A table that cannot be written is an error, not a success.
func TestSelftestIntoNothing(t *testing.T) {
	r, w := io.Pipe()
	r.Close()
	if err := printVerdicts(w, []verdict{{proof: &proof{}, observed: &observed{}}}); err == nil {
		t.Error("no error")
	}
}

// A reset that a blocked write is told of is a reset, whatever the read after
// it says: on a busy machine the write still blocks when it comes.
func TestResetOfAWrite(t *testing.T) {
	p, o := &proof{says: []said{{0, "a body that is too long"}}, end: "rst", unsent: true}, &observed{}
	p.converse(resetWhileWriting{}, o, time.Now())
	if problems := p.judge(o, 0); len(problems) > 0 {
		t.Error(problems)
	}
}

// resetWhileWriting is a connection as the kernel shows it: the reset is told
// once, to the write.
type resetWhileWriting struct{ net.Conn }

func (resetWhileWriting) SetReadDeadline(time.Time) error  { return nil }
func (resetWhileWriting) SetWriteDeadline(time.Time) error { return nil }
func (resetWhileWriting) Read([]byte) (int, error)         { return 0, io.EOF }
func (resetWhileWriting) Write([]byte) (int, error) {
	return 4, &net.OpError{Op: "write", Err: os.NewSyscallError("write", syscall.ECONNRESET)}
}
