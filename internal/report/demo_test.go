package report

import (
	"bytes"
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/deadlinelab/deadlinelab/internal/fault"
	"github.com/google/go-cmp/cmp"
)

var update = flag.Bool("update", false, "write the golden files anew")

func golden(t *testing.T, name string, got []byte) {
	t.Helper()
	file := filepath.Join("testdata", name)
	if *update {
		if err := os.WriteFile(file, got, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(file)
	if err != nil {
		t.Fatalf("%v; -update writes it", err)
	}
	if diff := cmp.Diff(string(want), string(got)); diff != "" {
		t.Errorf("%s differs (-want +got); -update accepts it:\n%s", file, diff)
	}
}

var demos = []struct {
	name     string
	question string
	fault    fault.Fault
	subjects []Subject
}{
	{"semaphore_wait", "When does the caller's clock start: before the queue for a slot, or after it?", &fault.SemaphoreWait{HoldMs: 1100, ResponseDelayMs: 20}, []Subject{semaphoreC(), semaphoreD()}},
	{"slow_headers", "Each attempt has a timeout. Who adds the attempts up?", &fault.SlowHeaders{ResponseDelayMs: 800}, []Subject{slowHeadersB(), slowHeadersD()}},
	{"cancel_in_http", "Who still works after the caller has left?", nil, []Subject{cancelB()}},
	{"cancel_in_backoff", "Does a cancel end a pause?", nil, []Subject{cancelBackoffD()}},
	{"slow_body", "The headers are here. Is the call over?", nil, []Subject{slowBody("B", "attempt_timeout")}},
	{"pool_wait", "Who counts the wait for a connection?", nil, []Subject{poolWaitB(), poolWaitD()}},
	{"backoff_holds_slot", "Who pays for a pause that keeps its slot?", nil, []Subject{heldD(), heldE()}},
	{"hang", "What ends a call that nobody answers?", nil, []Subject{hangG(), semaphoreD()}},
	{"transient_error", "Does one retry cost more than it saves?", &fault.TransientError{Steps: []fault.Step{{Status: 503, DelayMs: 50}, {Status: 200, DelayMs: 50}}}, []Subject{transientD()}},
}

// What a newcomer sees first, for every kind of wait.
func TestDemo(t *testing.T) {
	for _, d := range demos {
		t.Run(d.name, func(t *testing.T) {
			var b bytes.Buffer
			if err := Demo(&b, setup(d.name, d.question, d.fault), d.subjects, Options{}); err != nil {
				t.Fatal(err)
			}
			golden(t, "demo_"+d.name+".golden", b.Bytes())
		})
	}
}

// No line is wider than asked, in any dress, and the plain dress has no colour.
func TestDemoFitsItsWidth(t *testing.T) {
	for _, o := range []Options{{Width: 60}, {Width: 80, ASCII: true}, {Width: 100}, {Width: 133}} {
		for _, d := range demos {
			var b bytes.Buffer
			if err := Demo(&b, setup(d.name, d.question, d.fault), d.subjects, o); err != nil {
				t.Fatal(err)
			}
			for line := range strings.SplitSeq(b.String(), "\n") {
				if runeLen(line) > o.Width {
					t.Errorf("%s at %d columns: %d columns: %q", d.name, o.Width, runeLen(line), line)
				}
			}
			if strings.Contains(b.String(), "\x1b") {
				t.Errorf("%s at %d columns holds a terminal escape", d.name, o.Width)
			}
			if o.ASCII && strings.ContainsFunc(b.String(), func(r rune) bool { return r > 0x7e }) {
				t.Errorf("%s is not ASCII", d.name)
			}
		}
	}
}
